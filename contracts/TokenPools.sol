// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";
import {ERC1155Utils} from "@openzeppelin/contracts/token/ERC1155/utils/ERC1155Utils.sol";
import {TokenData} from "./TokenData.sol";

/// @title Pools of tokens, fungible and non-fungible, in one ERC-1155 contract
/// @notice The creator of a pool mints in it; the owner of tokens, or an operator that the owner approved, transfers
/// and burns them. The id of a token is the id of its pool with the token's index in the lower 128 bits. Bit 255 is set
/// if the pool is non-fungible; bits 128 to 254 are the number of the pool in this contract, from 1. Indexes count from
/// 1; fungible tokens have index 0.
contract TokenPools is ERC1155, TokenData {
    struct Pool {
        address creator;
        /// @dev The number of tokens of a non-fungible pool minted so far, which is the last index.
        uint96 tokens;
    }

    /// @dev The URI of the tokens of a pool from `firstIndex` up to the next range.
    struct UriRange {
        uint96 firstIndex;
        string uri;
    }

    /// @notice The most tokens or recipients of one mint.
    uint256 public constant maxMint = 250;
    uint256 public constant maxUriBytes = 1_024;

    /// @notice The number of pools.
    uint256 public pools;

    mapping(uint256 poolId => Pool) private poolOf;
    mapping(uint256 poolId => UriRange[]) private uriRanges;

    uint256 private constant nonFungibleBit = 1 << 255;
    uint256 private constant indexMask = type(uint128).max;

    /// @notice Emitted for a new pool, whose tokens have the ids `startId` to `endId`.
    event PoolCreated(
        address indexed creator,
        uint256 indexed startId,
        uint256 endId,
        bool isFungible,
        bytes data
    );

    error PoolUnknown(uint256 poolId);
    error PoolIsFungible(uint256 poolId);
    error PoolIsNonFungible(uint256 poolId);
    error NotCreator(address sender, uint256 poolId);
    error NothingToMint();
    error TooManyTokens(uint256 count, uint256 max);
    error UriTooLong(uint256 sizeBytes, uint256 maxBytes);
    error LengthsDiffer(uint256 recipients, uint256 amounts);

    string private constant plainUri = "parley://token/{id}";

    constructor() ERC1155("") {}

    /// @notice Creates a pool, whose creator is the caller. The id of the pool is its `startId`.
    function create(bool isFungible, bytes calldata data) external returns (uint256 startId) {
        startId = ++pools << 128;
        if (!isFungible) startId |= nonFungibleBit;
        poolOf[startId].creator = msg.sender;
        emit PoolCreated(msg.sender, startId, isFungible ? startId : startId | indexMask, isFungible, data);
    }

    /// @notice Mints an amount for each recipient. Only the creator of the pool may call it.
    function mintFungible(
        uint256 poolId,
        address[] calldata to,
        uint256[] calldata amounts,
        bytes calldata data
    ) external {
        requireCreator(poolId);
        if (poolId & nonFungibleBit != 0) revert PoolIsNonFungible(poolId);
        requireCount(to.length);
        if (to.length != amounts.length) revert LengthsDiffer(to.length, amounts.length);
        for (uint256 i = 0; i < to.length; i++) _mint(to[i], poolId, amounts[i], data);
    }

    /// @notice Mints one token for each recipient, with consecutive indexes. Only the creator of the pool may call it.
    function mintNonFungible(uint256 poolId, address[] calldata to, bytes calldata data) external {
        mintTokens(poolId, to, data, "");
    }

    /// @notice As `mintNonFungible`, with one URI for all these tokens; `{id}` in it stands for the id of the token.
    function mintNonFungibleWithURI(
        uint256 poolId,
        address[] calldata to,
        bytes calldata data,
        string calldata tokenUri
    ) external {
        mintTokens(poolId, to, data, tokenUri);
    }

    /// @notice Burns an amount. Only the owner, or an operator that the owner approved, may call it.
    function burn(address from, uint256 id, uint256 amount, bytes calldata data) external {
        if (from != msg.sender && !isApprovedForAll(from, msg.sender)) {
            revert ERC1155MissingApprovalForAll(msg.sender, from);
        }
        if (from == address(0)) revert ERC1155InvalidSender(from);
        (uint256[] memory ids, uint256[] memory amounts) = (new uint256[](1), new uint256[](1));
        (ids[0], amounts[0]) = (id, amount);
        move(from, address(0), ids, amounts, data, "");
    }

    /// @notice Allows an operator to transfer and burn all tokens of the caller in this contract, or revokes that.
    function setApprovalForAllWithData(address operator, bool approved, bytes calldata data) external {
        _setApprovalForAll(msg.sender, operator, approved);
        emit ApprovalData(data);
    }

    /// @notice The URI of a token's description; `{id}` in it stands for the id of the token, as 64 hexadecimal digits.
    function uri(uint256 id) public view override returns (string memory) {
        UriRange[] storage ranges = uriRanges[id & ~indexMask];
        uint256 index = id & indexMask;
        (uint256 low, uint256 high) = (0, ranges.length);
        // Bisection for the number of ranges that begin at or before the index.
        while (low < high) {
            uint256 middle = (low + high) / 2;
            if (ranges[middle].firstIndex <= index) low = middle + 1;
            else high = middle;
        }
        if (low == 0 || bytes(ranges[low - 1].uri).length == 0) return plainUri;
        return ranges[low - 1].uri;
    }

    /// @notice The creator of a pool; zero if there is no pool with this id.
    function creatorOf(uint256 poolId) external view returns (address) {
        return poolOf[poolId].creator;
    }

    function _updateWithAcceptanceCheck(
        address from,
        address to,
        uint256[] memory ids,
        uint256[] memory amounts,
        bytes memory data
    ) internal override {
        move(from, to, ids, amounts, data, "");
    }

    /// @dev Emits the data directly after the event of the transfer, before the recipient is called: a recipient that
    /// is a contract may call again, and its events must not come between the two.
    function move(
        address from,
        address to,
        uint256[] memory ids,
        uint256[] memory amounts,
        bytes memory data,
        string memory tokenUri
    ) private {
        _update(from, to, ids, amounts);
        emit TransferData(msg.sender, data, tokenUri);
        if (to == address(0)) return;
        if (ids.length == 1) ERC1155Utils.checkOnERC1155Received(msg.sender, from, to, ids[0], amounts[0], data);
        else ERC1155Utils.checkOnERC1155BatchReceived(msg.sender, from, to, ids, amounts, data);
    }

    function mintTokens(
        uint256 poolId,
        address[] calldata to,
        bytes calldata data,
        string memory tokenUri
    ) private {
        requireCreator(poolId);
        if (poolId & nonFungibleBit == 0) revert PoolIsFungible(poolId);
        requireCount(to.length);
        if (bytes(tokenUri).length > maxUriBytes) revert UriTooLong(bytes(tokenUri).length, maxUriBytes);
        uint256 firstIndex = poolOf[poolId].tokens + 1;
        poolOf[poolId].tokens += uint96(to.length);
        placeUri(poolId, firstIndex, tokenUri);
        if (bytes(tokenUri).length == 0) tokenUri = plainUri;
        // Consecutive tokens of one recipient are one batch, so a mint for one account is always two events.
        for (uint256 start = 0; start < to.length; ) {
            uint256 end = start + 1;
            while (end < to.length && to[end] == to[start]) end++;
            mintRun(to[start], (poolId | firstIndex) + start, end - start, data, tokenUri);
            start = end;
        }
    }

    function mintRun(
        address to,
        uint256 firstId,
        uint256 count,
        bytes calldata data,
        string memory tokenUri
    ) private {
        if (to == address(0)) revert ERC1155InvalidReceiver(to);
        (uint256[] memory ids, uint256[] memory amounts) = (new uint256[](count), new uint256[](count));
        for (uint256 i = 0; i < count; i++) (ids[i], amounts[i]) = (firstId + i, 1);
        move(address(0), to, ids, amounts, data, tokenUri);
    }

    function placeUri(uint256 poolId, uint256 firstIndex, string memory tokenUri) private {
        UriRange[] storage ranges = uriRanges[poolId];
        bool isPlain = ranges.length == 0 || bytes(ranges[ranges.length - 1].uri).length == 0;
        if (bytes(tokenUri).length > 0 || !isPlain) ranges.push(UriRange(uint96(firstIndex), tokenUri));
    }

    function requireCreator(uint256 poolId) private view {
        address creator = poolOf[poolId].creator;
        if (creator == address(0)) revert PoolUnknown(poolId);
        if (creator != msg.sender) revert NotCreator(msg.sender, poolId);
    }

    function requireCount(uint256 count) private pure {
        if (count == 0) revert NothingToMint();
        if (count > maxMint) revert TooManyTokens(count, maxMint);
    }
}
