import { type Artifact, compile } from '../../contracts/build.js';

/** A contract as a user might write it: it keeps buyers' payments until they release them. */
const source = `// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

contract Escrow {
    struct Term { string text; uint8[2] weights; }
    struct Deal { uint256 number; address buyer; address seller; uint256 amount; Term[] terms; }

    error DealUnknown(uint256 number);
    error NotBuyer(address caller, uint256 number);
    error NotPaid(uint256 number);
    error TooLittle(uint256 paid, uint256 least);

    event Opened(uint256 indexed number, address indexed buyer, address seller, uint256 amount);
    event Released(uint256 indexed number, uint256 amount);

    address public immutable keeper;
    uint256 public immutable least;
    Deal[] private deals;

    constructor(address keeper_, uint256 least_) { (keeper, least) = (keeper_, least_); }

    function open(address seller) external payable { open(seller, new Term[](0)); }

    function open(address seller, Term[] memory terms) public payable {
        if (msg.value < least) revert TooLittle(msg.value, least);
        Deal storage deal = deals.push();
        deal.number = deals.length;
        (deal.buyer, deal.seller, deal.amount) = (msg.sender, seller, msg.value);
        for (uint256 index = 0; index < terms.length; index++) deal.terms.push(terms[index]);
        emit Opened(deal.number, msg.sender, seller, msg.value);
    }

    function release(uint256 number) external {
        if (number == 0 || number > deals.length) revert DealUnknown(number);
        Deal storage deal = deals[number - 1];
        if (deal.buyer != msg.sender) revert NotBuyer(msg.sender, number);
        uint256 amount = deal.amount;
        deal.amount = 0;
        emit Released(number, amount);
        (bool isPaid, ) = payable(deal.seller).call{value: amount}("");
        if (!isPaid) revert NotPaid(number);
    }

    function count() external view returns (uint256) { return deals.length; }

    function find(uint256 number) external view returns (Deal memory deal, uint256) {
        if (number == 0 || number > deals.length) revert DealUnknown(number);
        return (deals[number - 1], deals.length);
    }
}
`;

let compiled: Artifact | undefined;

/** Compiles once for all callers, in a second or two. */
export function escrow(): Artifact {
  compiled ??= compile({ 'Escrow.sol': source }).get('Escrow');
  if (compiled === undefined) throw new Error('The source declares no Escrow.');
  return compiled;
}
