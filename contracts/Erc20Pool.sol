// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC165} from "@openzeppelin/contracts/utils/introspection/ERC165.sol";
import {Erc20WithData, TokenData} from "./TokenData.sol";

/// @title A pool of fungible tokens as a separate ERC-20 contract
/// @notice The creator mints; the owner of tokens, or an account with an allowance, transfers and burns.
contract Erc20Pool is ERC20, ERC165, Erc20WithData, TokenData {
    /// @notice The only account that may mint.
    address public immutable creator;

    error NotCreator(address sender);

    constructor(string memory name, string memory symbol, address creator_) ERC20(name, symbol) {
        creator = creator_;
    }

    function mintWithData(address to, uint256 amount, bytes calldata data) external {
        if (msg.sender != creator) revert NotCreator(msg.sender);
        _mint(to, amount);
        emit TransferData(msg.sender, data, "");
    }

    function transferWithData(address from, address to, uint256 amount, bytes calldata data) external {
        spend(from, amount);
        _transfer(from, to, amount);
        emit TransferData(msg.sender, data, "");
    }

    function burnWithData(address from, uint256 amount, bytes calldata data) external {
        spend(from, amount);
        _burn(from, amount);
        emit TransferData(msg.sender, data, "");
    }

    function approveWithData(address spender, uint256 amount, bytes calldata data) external {
        _approve(msg.sender, spender, amount);
        emit ApprovalData(data);
    }

    function supportsInterface(bytes4 interfaceId) public view override returns (bool) {
        return
            interfaceId == type(Erc20WithData).interfaceId ||
            interfaceId == emitsData ||
            super.supportsInterface(interfaceId);
    }

    function spend(address from, uint256 amount) private {
        if (from != msg.sender) _spendAllowance(from, msg.sender, amount);
    }
}
