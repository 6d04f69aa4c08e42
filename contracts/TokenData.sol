// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Events of token contracts with the data of an operation
/// @notice Each of these events follows directly after the standard event that it belongs to, with the next log index
/// and from the same contract. So a reader of the logs can match a message to its transfer, even when another contract
/// made the call.
abstract contract TokenData {
    /// @notice The operator and the data of the transfer, mint or burn in the previous log, and the URI of new
    /// non-fungible tokens.
    event TransferData(address indexed operator, bytes data, string uri);

    /// @notice The data of the approval in the previous log.
    event ApprovalData(bytes data);

    /// @dev The ERC-165 id of contracts that emit these events: the first bytes of the topic of `TransferData`.
    bytes4 internal constant emitsData = bytes4(TransferData.selector);
}

/// @title The data extension of ERC-20, detected by its ERC-165 id
interface Erc20WithData {
    function mintWithData(address to, uint256 amount, bytes calldata data) external;

    function transferWithData(address from, address to, uint256 amount, bytes calldata data) external;

    function burnWithData(address from, uint256 amount, bytes calldata data) external;

    function approveWithData(address spender, uint256 amount, bytes calldata data) external;
}

/// @title The data extension of ERC-721, detected by its ERC-165 id
/// @notice A transfer with data is `safeTransferFrom` with four arguments, which every ERC-721 contract has, or
/// `transferWithData`, which does the same.
interface Erc721WithData {
    function mintWithData(address to, bytes calldata data) external;

    function mintWithURI(address to, bytes calldata data, string calldata tokenUri) external;

    function transferWithData(address from, address to, uint256 tokenId, bytes calldata data) external;

    function burnWithData(address from, uint256 tokenId, bytes calldata data) external;

    function approveWithData(address to, uint256 tokenId, bytes calldata data) external;

    function setApprovalForAllWithData(address operator, bool approved, bytes calldata data) external;
}
