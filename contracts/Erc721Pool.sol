// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC721Utils} from "@openzeppelin/contracts/token/ERC721/utils/ERC721Utils.sol";
import {Erc721WithData, TokenData} from "./TokenData.sol";

/// @title A pool of non-fungible tokens as a separate ERC-721 contract
/// @notice The creator mints one token at a time, and the contract numbers them from 1. The owner of a token, or an
/// account that the owner approved for it or for all tokens, transfers and burns.
contract Erc721Pool is ERC721, Erc721WithData, TokenData {
    uint256 public constant maxUriBytes = 1_024;

    /// @notice The only account that may mint.
    address public immutable creator;

    /// @notice The number of tokens minted so far, which is the id of the latest.
    uint256 public minted;

    mapping(uint256 tokenId => string) private uris;

    error NotCreator(address sender);
    error UriTooLong(uint256 sizeBytes, uint256 maxBytes);

    constructor(string memory name, string memory symbol, address creator_) ERC721(name, symbol) {
        creator = creator_;
    }

    function mintWithData(address to, bytes calldata data) external {
        mint(to, data, "");
    }

    function mintWithURI(address to, bytes calldata data, string calldata tokenUri) external {
        mint(to, data, tokenUri);
    }

    function transferWithData(address from, address to, uint256 tokenId, bytes calldata data) external {
        safeTransferFrom(from, to, tokenId, data);
    }

    function burnWithData(address from, uint256 tokenId, bytes calldata data) external {
        address owner = _update(address(0), tokenId, msg.sender);
        if (owner != from) revert ERC721IncorrectOwner(from, tokenId, owner);
        emit TransferData(msg.sender, data, "");
    }

    function approveWithData(address to, uint256 tokenId, bytes calldata data) external {
        approve(to, tokenId);
        emit ApprovalData(data);
    }

    function setApprovalForAllWithData(address operator, bool approved, bytes calldata data) external {
        setApprovalForAll(operator, approved);
        emit ApprovalData(data);
    }

    /// @dev Emits the data directly after the event of the transfer, before the recipient is called: a recipient that
    /// is a contract may call again, and its events must not come between the two.
    function safeTransferFrom(address from, address to, uint256 tokenId, bytes memory data) public override {
        transferFrom(from, to, tokenId);
        emit TransferData(msg.sender, data, "");
        ERC721Utils.checkOnERC721Received(msg.sender, from, to, tokenId, data);
    }

    function tokenURI(uint256 tokenId) public view override returns (string memory) {
        _requireOwned(tokenId);
        return uris[tokenId];
    }

    function supportsInterface(bytes4 interfaceId) public view override returns (bool) {
        return
            interfaceId == type(Erc721WithData).interfaceId ||
            interfaceId == emitsData ||
            super.supportsInterface(interfaceId);
    }

    function mint(address to, bytes calldata data, string memory tokenUri) private {
        if (msg.sender != creator) revert NotCreator(msg.sender);
        if (bytes(tokenUri).length > maxUriBytes) revert UriTooLong(bytes(tokenUri).length, maxUriBytes);
        uint256 tokenId = ++minted;
        if (bytes(tokenUri).length > 0) uris[tokenId] = tokenUri;
        _mint(to, tokenId);
        emit TransferData(msg.sender, data, tokenUri);
        ERC721Utils.checkOnERC721Received(msg.sender, address(0), to, tokenId, data);
    }
}
