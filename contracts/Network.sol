// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title The members of a network and the log of what they have pinned
/// @notice Both are one sequence of events: whoever reads it from the first block knows, at the place of every pin, who
/// was a member and which identity each key had. Nothing is ever taken back.
contract Network {
    struct Member {
        string org;
        string node;
        string endpoint;
        bytes32 publicKeyHash;
    }

    /// @notice 200 messages of 10 topics: the most that a batch can pin.
    uint256 public constant maxContexts = 2_000;
    uint256 public constant maxNameBytes = 64;
    uint256 public constant maxEndpointBytes = 256;
    uint256 public constant maxPayloadRefBytes = 128;
    uint256 public constant maxLimitsBytes = 4_096;

    /// @notice The only one who adds members: who created the network.
    address public immutable operator;

    /// @notice The limits that decide whether something is valid, as JSON text: fixed at creation, the same everywhere.
    string public limits;

    /// @notice The signing key of the member that a key belongs to (of a signing key, itself); zero if not registered.
    mapping(address key => address member) public memberOf;

    mapping(address key => Member) private members;
    /// @dev Organisations and custom identities share one set of names, because an author can be given as either.
    mapping(bytes32 nameHash => bool) private identityNames;
    mapping(bytes32 nameHash => bool) private nodeNames;
    /// @dev A peer is known by this hash alone: whoever could take over another's would be taken for it.
    mapping(bytes32 publicKeyHash => address member) private publicKeyOwners;

    event NetworkCreated(address indexed operator, string limits);
    event MemberAdded(address indexed key, string org, string node, string endpoint, bytes32 publicKeyHash);
    event KeyAdded(address indexed member, address indexed key, string name);
    event OrganizationAdded(address indexed member, address indexed key, string name);
    event NodeChanged(address indexed member, string endpoint, bytes32 publicKeyHash);
    event BatchPin(address indexed author, bytes32 uuids, bytes32 batchHash, string payloadRef, bytes32[] contexts);

    error NotOperator(address sender);
    error NotMember(address sender);
    error NotRegistered(address sender);
    error KeyTaken(address key);
    error KeyIsZero();
    error NameTaken(string name);
    error NameInvalid(string name);
    error PublicKeyTaken(bytes32 publicKeyHash);
    error NoContexts();
    error TooManyContexts(uint256 count, uint256 max);
    error TooLong(uint256 sizeBytes, uint256 maxBytes);

    constructor(string memory limits_) {
        requireShort(bytes(limits_).length, maxLimitsBytes);
        operator = msg.sender;
        limits = limits_;
        emit NetworkCreated(msg.sender, limits_);
    }

    /// @notice Adds an organisation with its signing key and its node. `publicKeyHash` is the SHA-256 of the public key in
    /// the node's certificate, or zero for a node without one.
    function addMember(
        string calldata org,
        address key,
        string calldata node,
        string calldata endpoint,
        bytes32 publicKeyHash
    ) external {
        if (msg.sender != operator) revert NotOperator(msg.sender);
        takeKey(key, key);
        takeName(identityNames, org);
        takeName(nodeNames, node);
        members[key].org = org;
        members[key].node = node;
        placeNode(key, endpoint, publicKeyHash);
        emit MemberAdded(key, org, node, endpoint, publicKeyHash);
    }

    /// @notice Adds a custom identity of the calling member, with a key of its own.
    function addKey(string calldata name, address key) external {
        takeIdentity(name, key);
        emit KeyAdded(msg.sender, key, name);
    }

    /// @notice Adds an organisation below the calling member, with a key of its own; it has the member's node.
    function addOrganization(string calldata name, address key) external {
        takeIdentity(name, key);
        emit OrganizationAdded(msg.sender, key, name);
    }

    /// @notice Changes where the calling member's node is reached, and the certificate by which it is known.
    function setNode(string calldata endpoint, bytes32 publicKeyHash) external {
        requireMember();
        placeNode(msg.sender, endpoint, publicKeyHash);
        emit NodeChanged(msg.sender, endpoint, publicKeyHash);
    }

    /// @notice Gives a batch its place in every one of its contexts. `uuids` is the transaction's id followed by the
    /// batch's, `payloadRef` the name of the payload in the shared store, empty for a private batch.
    /// @dev The author is whoever sends the transaction, so no contract between can pin in somebody's name.
    function pinBatch(
        bytes32 uuids,
        bytes32 batchHash,
        string calldata payloadRef,
        bytes32[] calldata contexts
    ) external {
        if (memberOf[msg.sender] == address(0)) revert NotRegistered(msg.sender);
        if (contexts.length == 0) revert NoContexts();
        if (contexts.length > maxContexts) revert TooManyContexts(contexts.length, maxContexts);
        requireShort(bytes(payloadRef).length, maxPayloadRefBytes);
        emit BatchPin(msg.sender, uuids, batchHash, payloadRef, contexts);
    }

    /// @notice The member with this signing key, with its node as it is now; empty if there is none.
    function memberWithKey(address key) external view returns (Member memory) {
        return members[key];
    }

    function takeIdentity(string calldata name, address key) private {
        requireMember();
        takeKey(key, msg.sender);
        takeName(identityNames, name);
    }

    function requireMember() private view {
        if (memberOf[msg.sender] != msg.sender) revert NotMember(msg.sender);
    }

    function takeKey(address key, address member) private {
        if (key == address(0)) revert KeyIsZero();
        if (memberOf[key] != address(0)) revert KeyTaken(key);
        memberOf[key] = member;
    }

    function takeName(mapping(bytes32 => bool) storage names, string calldata name) private {
        if (!isName(bytes(name))) revert NameInvalid(name);
        bytes32 nameHash = keccak256(bytes(name));
        if (names[nameHash]) revert NameTaken(name);
        names[nameHash] = true;
    }

    function placeNode(address member, string calldata endpoint, bytes32 publicKeyHash) private {
        requireShort(bytes(endpoint).length, maxEndpointBytes);
        if (publicKeyHash != bytes32(0)) {
            address owner = publicKeyOwners[publicKeyHash];
            if (owner != address(0) && owner != member) revert PublicKeyTaken(publicKeyHash);
            publicKeyOwners[publicKeyHash] = member;
        }
        members[member].endpoint = endpoint;
        members[member].publicKeyHash = publicKeyHash;
    }

    function requireShort(uint256 sizeBytes, uint256 maxBytes) private pure {
        if (sizeBytes > maxBytes) revert TooLong(sizeBytes, maxBytes);
    }

    /// @dev 1 to 64 of A-Z a-z 0-9 . _ - with a letter or digit at both ends. A member chooses the names of its custom
    /// identities itself; with a slash in one it could spell another's DID.
    function isName(bytes calldata name) private pure returns (bool) {
        uint256 length = name.length;
        if (length == 0 || length > maxNameBytes) return false;
        if (!isLetterOrDigit(name[0]) || !isLetterOrDigit(name[length - 1])) return false;
        for (uint256 i = 1; i + 1 < length; i++) {
            bytes1 character = name[i];
            if (!isLetterOrDigit(character) && character != "." && character != "_" && character != "-") return false;
        }
        return true;
    }

    function isLetterOrDigit(bytes1 character) private pure returns (bool) {
        return
            (character >= "a" && character <= "z") ||
            (character >= "A" && character <= "Z") ||
            (character >= "0" && character <= "9");
    }
}
