// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title The members of a network and the log of their pins
/// @notice Both are one sequence of events. A reader that begins at the first block knows, for the position of every
/// pin, who was a member and which identity each key had. Nothing is ever removed.
contract Network {
    struct Member {
        string org;
        string node;
        string endpoint;
        bytes32 publicKeyHash;
    }

    /// @notice The most contexts that a batch can pin: 200 messages of 10 topics.
    uint256 public constant maxContexts = 2_000;
    uint256 public constant maxNameBytes = 64;
    uint256 public constant maxEndpointBytes = 256;
    uint256 public constant maxPayloadRefBytes = 128;
    uint256 public constant maxLimitsBytes = 4_096;

    /// @notice The account that created the network, the only one that may add members.
    address public immutable operator;

    /// @notice The limits that decide validity, as JSON text, fixed at creation.
    string public limits;

    /// @notice The signing key of the member to which a key belongs; for a signing key, itself; zero if not registered.
    mapping(address key => address member) public memberOf;

    mapping(address key => Member) private members;
    /// @dev Organisations and custom identities share one set of names, because either can be given as an author.
    mapping(bytes32 nameHash => bool) private identityNames;
    mapping(bytes32 nameHash => bool) private nodeNames;
    /// @dev A peer is identified by this hash alone, so no other member may register the same one.
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

    /// @notice Adds an organisation with its signing key and its node. `publicKeyHash` is the SHA-256 of the public key
    /// in the node's certificate, or zero for a node without a certificate.
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

    /// @notice Adds a custom identity of the calling member, with a separate key.
    function addKey(string calldata name, address key) external {
        takeIdentity(name, key);
        emit KeyAdded(msg.sender, key, name);
    }

    /// @notice Adds an organisation below the calling member, with a separate key. It uses the member's node.
    function addOrganization(string calldata name, address key) external {
        takeIdentity(name, key);
        emit OrganizationAdded(msg.sender, key, name);
    }

    /// @notice Changes the endpoint and the public key of the calling member's node.
    function setNode(string calldata endpoint, bytes32 publicKeyHash) external {
        requireMember();
        placeNode(msg.sender, endpoint, publicKeyHash);
        emit NodeChanged(msg.sender, endpoint, publicKeyHash);
    }

    /// @notice Pins a batch: records its position in each of its contexts. `uuids` is the transaction's id followed by
    /// the batch's, `payloadRef` the name of the payload in the shared store, empty for a private batch.
    /// @dev The author is the direct caller, so no contract in between can pin on behalf of a member.
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

    /// @notice The member with this signing key and its current node; empty if there is none.
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

    /// @dev 1 to 64 characters of A-Z a-z 0-9 . _ - with a letter or digit at both ends. Members choose the names of
    /// their custom identities; a name with a slash could form the DID of another member.
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
