/**
 * The interfaces of the token contracts as text (docs/protocol.md §13.3, §13.4), shared by all encoders of calls and
 * readers of logs. A test compares them with the compiled contracts.
 */

const errorsOfErc1155 = [
  'error ERC1155InsufficientBalance(address sender, uint256 balance, uint256 needed, uint256 tokenId)',
  'error ERC1155InvalidApprover(address approver)',
  'error ERC1155InvalidArrayLength(uint256 idsLength, uint256 valuesLength)',
  'error ERC1155InvalidOperator(address operator)',
  'error ERC1155InvalidReceiver(address receiver)',
  'error ERC1155InvalidSender(address sender)',
  'error ERC1155MissingApprovalForAll(address operator, address owner)',
];

const errorsOfErc20 = [
  'error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  'error ERC20InvalidApprover(address approver)',
  'error ERC20InvalidReceiver(address receiver)',
  'error ERC20InvalidSender(address sender)',
  'error ERC20InvalidSpender(address spender)',
];

const errorsOfErc721 = [
  'error ERC721IncorrectOwner(address sender, uint256 tokenId, address owner)',
  'error ERC721InsufficientApproval(address operator, uint256 tokenId)',
  'error ERC721InvalidApprover(address approver)',
  'error ERC721InvalidOperator(address operator)',
  'error ERC721InvalidOwner(address owner)',
  'error ERC721InvalidReceiver(address receiver)',
  'error ERC721InvalidSender(address sender)',
  'error ERC721NonexistentToken(uint256 tokenId)',
];

/** Each follows directly after the standard event that it belongs to, from the same contract. */
const dataEvents = [
  'event TransferData(address indexed operator, bytes data, string uri)',
  'event ApprovalData(bytes data)',
];

/** `TokenPools.sol`, in the form that ethers reads. */
export const tokenPoolsAbi: readonly string[] = [
  'function create(bool isFungible, bytes data) returns (uint256 startId)',
  'function mintFungible(uint256 poolId, address[] to, uint256[] amounts, bytes data)',
  'function mintNonFungible(uint256 poolId, address[] to, bytes data)',
  'function mintNonFungibleWithURI(uint256 poolId, address[] to, bytes data, string tokenUri)',
  'function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes data)',
  'function burn(address from, uint256 id, uint256 amount, bytes data)',
  'function setApprovalForAllWithData(address operator, bool approved, bytes data)',
  'function balanceOf(address account, uint256 id) view returns (uint256)',
  'function isApprovedForAll(address account, address operator) view returns (bool)',
  'function uri(uint256 id) view returns (string)',
  'event PoolCreated(address indexed creator, uint256 indexed startId, uint256 endId, bool isFungible, bytes data)',
  'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
  'event TransferBatch(address indexed operator, address indexed from, address indexed to, ' +
    'uint256[] ids, uint256[] values)',
  'event ApprovalForAll(address indexed account, address indexed operator, bool approved)',
  ...dataEvents,
  'error PoolUnknown(uint256 poolId)',
  'error PoolIsFungible(uint256 poolId)',
  'error PoolIsNonFungible(uint256 poolId)',
  'error NotCreator(address sender, uint256 poolId)',
  'error NothingToMint()',
  'error TooManyTokens(uint256 count, uint256 max)',
  'error LengthsDiffer(uint256 recipients, uint256 amounts)',
  'error UriTooLong(uint256 sizeBytes, uint256 maxBytes)',
  ...errorsOfErc1155,
];

/** `TokenFactory.sol`. */
export const tokenFactoryAbi: readonly string[] = [
  'function create(string name, string symbol, bool isFungible, bytes data) returns (address pool)',
  'event PoolCreated(address indexed creator, address indexed pool, ' +
    'bool isFungible, string name, string symbol, bytes data)',
  'error TooLong(uint256 sizeBytes, uint256 maxBytes)',
];

/** `Erc20Pool.sol`; its methods without data are those of the ERC-20 standard. */
export const erc20PoolAbi: readonly string[] = [
  'function mintWithData(address to, uint256 amount, bytes data)',
  'function transferWithData(address from, address to, uint256 amount, bytes data)',
  'function burnWithData(address from, uint256 amount, bytes data)',
  'function approveWithData(address spender, uint256 amount, bytes data)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function transferFrom(address from, address to, uint256 value) returns (bool)',
  'function approve(address spender, uint256 value) returns (bool)',
  'function balanceOf(address account) view returns (uint256)',
  'function totalSupply() view returns (uint256)',
  'function decimals() view returns (uint8)',
  'function supportsInterface(bytes4 interfaceId) view returns (bool)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Approval(address indexed owner, address indexed spender, uint256 value)',
  ...dataEvents,
  'error NotCreator(address sender)',
  ...errorsOfErc20,
];

/** `Erc721Pool.sol`; its methods without data are those of the ERC-721 standard. */
export const erc721PoolAbi: readonly string[] = [
  'function mintWithData(address to, bytes data)',
  'function mintWithURI(address to, bytes data, string tokenUri)',
  'function transferWithData(address from, address to, uint256 tokenId, bytes data)',
  'function burnWithData(address from, uint256 tokenId, bytes data)',
  'function approveWithData(address to, uint256 tokenId, bytes data)',
  'function setApprovalForAllWithData(address operator, bool approved, bytes data)',
  'function safeTransferFrom(address from, address to, uint256 tokenId)',
  'function safeTransferFrom(address from, address to, uint256 tokenId, bytes data)',
  'function approve(address to, uint256 tokenId)',
  'function setApprovalForAll(address operator, bool approved)',
  'function balanceOf(address owner) view returns (uint256)',
  'function ownerOf(uint256 tokenId) view returns (address)',
  'function tokenURI(uint256 tokenId) view returns (string)',
  'function supportsInterface(bytes4 interfaceId) view returns (bool)',
  'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
  'event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId)',
  'event ApprovalForAll(address indexed owner, address indexed operator, bool approved)',
  ...dataEvents,
  'error NotCreator(address sender)',
  'error UriTooLong(uint256 sizeBytes, uint256 maxBytes)',
  ...errorsOfErc721,
];

/** The URI of non-fungible tokens without a URI of their own; `{id}` stands for the token id. */
export const plainTokenUri = 'parley://token/{id}';

/** Maximum number of tokens or recipients of one mint. */
export const maxTokensPerMint = 250;

/** Maximum length of a token's URI, in bytes. */
export const maxTokenUriBytes = 1_024;
