import { type Artifact, compile } from '../../contracts/build.js';

/** Token contracts that users write: standard ones, in the style of OpenZeppelin's wizard, and others. */
const source = `// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Burnable} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Burnable.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC721Burnable} from "@openzeppelin/contracts/token/ERC721/extensions/ERC721Burnable.sol";

contract PlainCoin is ERC20, ERC20Burnable {
    constructor() ERC20("Plain", "PLN") {}
    function decimals() public pure override returns (uint8) { return 6; }
    function mint(address to, uint256 amount) external { _mint(to, amount); }
}

contract PlainDeed is ERC721, ERC721Burnable {
    uint256 private next;
    constructor() ERC721("Plain", "PLN") {}
    function safeMint(address to) external { _safeMint(to, next++); }
    function safeMint(address to, string calldata) external { _safeMint(to, next++); }
}

/// Takes data as the extension says, and leaves it in the input of the transaction.
contract SilentCoin is ERC20 {
    constructor() ERC20("Silent", "SLN") {}
    function mintWithData(address to, uint256 amount, bytes calldata) external { _mint(to, amount); }
    function transferWithData(address from, address to, uint256 amount, bytes calldata) external {
        _transfer(from, to, amount);
    }
    function burnWithData(address from, uint256 amount, bytes calldata) external { _burn(from, amount); }
    function approveWithData(address spender, uint256 amount, bytes calldata) external {
        _approve(msg.sender, spender, amount);
    }
    function supportsInterface(bytes4 id) external pure returns (bool) { return id == 0xaefdad0f || id == 0x01ffc9a7; }
}

/// Does what a token does, in words of its own; what goes with an operation stays in the input of the transaction.
contract WordyCoin is ERC20 {
    error NotIssuer(address caller);
    address public immutable issuer = msg.sender;
    constructor() ERC20("Wordy", "WRD") {}
    function emitTo(address recipient, uint256 quantity, bytes calldata) external {
        if (msg.sender != issuer) revert NotIssuer(msg.sender);
        _mint(recipient, quantity);
    }
    function move(address to, address from, uint128 quantity, bytes calldata) external {
        _transfer(from, to, quantity);
    }
    function hand(address to, uint256 quantity) external { _transfer(msg.sender, to, quantity); }
    function retire(uint256 quantity) external { _burn(msg.sender, quantity); }
    function permit(address friend, bool isFriend) external {
        _approve(msg.sender, friend, isFriend ? type(uint256).max : 0);
    }
    function tax(address from, address to, uint256 quantity, uint256 rate) external {}
}

contract WordyDeed is ERC721 {
    uint256 private next = 1;
    constructor() ERC721("Wordy", "WRD") {}
    function register(address owner, string calldata) external { _mint(owner, next++); }
    function convey(address from, address to, uint256 deed) external { _transfer(from, to, deed); }
    function strike(uint256 deed) external { _burn(deed); }
}
`;

let compiled: ReadonlyMap<string, Artifact> | undefined;

export type ForeignContract = 'PlainCoin' | 'PlainDeed' | 'SilentCoin' | 'WordyCoin' | 'WordyDeed';

/** Compiles once for all callers, in a second or two. */
export function foreignContract(name: ForeignContract): Artifact {
  compiled ??= compile({ 'Foreign.sol': source });
  const artifact = compiled.get(name);
  if (artifact === undefined) throw new Error(`The source declares no ${name}.`);
  return artifact;
}
