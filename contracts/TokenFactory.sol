// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Erc20Pool} from "./Erc20Pool.sol";
import {Erc721Pool} from "./Erc721Pool.sol";

/// @title Creates token contracts
/// @notice Emits one event per pool, so that the logs of this address list all pools.
contract TokenFactory {
    uint256 public constant maxNameBytes = 64;

    event PoolCreated(
        address indexed creator,
        address indexed pool,
        bool isFungible,
        string name,
        string symbol,
        bytes data
    );

    error TooLong(uint256 sizeBytes, uint256 maxBytes);

    /// @notice Creates an ERC-20 or ERC-721 contract, whose creator is the caller.
    function create(
        string calldata name,
        string calldata symbol,
        bool isFungible,
        bytes calldata data
    ) external returns (address pool) {
        requireShort(name);
        requireShort(symbol);
        pool = isFungible
            ? address(new Erc20Pool(name, symbol, msg.sender))
            : address(new Erc721Pool(name, symbol, msg.sender));
        emit PoolCreated(msg.sender, pool, isFungible, name, symbol, data);
    }

    function requireShort(string calldata text) private pure {
        if (bytes(text).length > maxNameBytes) revert TooLong(bytes(text).length, maxNameBytes);
    }
}
