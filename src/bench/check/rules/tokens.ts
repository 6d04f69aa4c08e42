import type { BalanceFacts, PartyRecord, TransferFacts } from '../recording.js';
import type { Rule } from './rules.js';

/**
 * I11: every party has the same transfers, each once, with the sides that its type has; at each party a key's balance
 * is the sum of its transfers and never negative; if the contracts were queried, they agree.
 */
export const sameTokens: Rule = ({ parties, contractBalances = [] }, _order, evidence) => {
  const fault = (sentence: string) => void evidence.faults.push(sentence);
  const [first, ...others] = parties.filter(({ tokens }) => tokens !== undefined);
  if (first?.tokens === undefined) return;
  for (const party of [first, ...others]) {
    evidence.count += party.tokens?.transfers.length ?? 0;
    for (const sentence of faultsOfSums(party)) fault(sentence);
  }
  for (const other of others) {
    for (const sentence of differences(transfersOf(first), transfersOf(other))) {
      fault(`${first.name} and ${other.name}: transfer ${sentence}`);
    }
  }
  const held = balancesOf(first);
  for (const { pool, tokenIndex = '', key, balance } of contractBalances) {
    evidence.count++;
    const ours = held.get(`${pool}/${tokenIndex}/${key}`) ?? '0';
    if (ours !== balance) fault(`${key} has ${balance} of ${pool} by the contract, and ${ours} by ${first.name}`);
  }
};

function transfersOf({ tokens }: PartyRecord): ReadonlyMap<string, string> {
  const text = ({ type, from, to, amount, tokenIndex, message }: TransferFacts) =>
    [type, from, to, amount, tokenIndex, message].map((member) => member ?? '').join(' ');
  return new Map(tokens?.transfers.map((each) => [`${each.pool}/${each.protocolId}`, text(each)]));
}

function placeOf({ pool, tokenIndex = '', key }: BalanceFacts): string {
  return `${pool}/${tokenIndex}/${key}`;
}

/** Non-zero balances. */
function balancesOf({ tokens }: PartyRecord): ReadonlyMap<string, string> {
  const held = tokens?.balances.filter(({ balance }) => balance !== '0') ?? [];
  return new Map(held.map((each) => [placeOf(each), each.balance]));
}

/** Checks one party's records against each other: each transfer once, and balances that are their sums. */
function faultsOfSums(party: PartyRecord): string[] {
  const transfers = party.tokens?.transfers ?? [];
  const faults: string[] = [];
  const seen = new Set<string>();
  const sums = new Map<string, bigint>();
  const add = (each: TransferFacts, key: string | undefined, amount: bigint) => {
    if (key === undefined) return;
    const place = placeOf({ ...each, key, balance: '' });
    sums.set(place, (sums.get(place) ?? 0n) + amount);
  };
  for (const each of transfers) {
    const id = `${each.pool}/${each.protocolId}`;
    if (seen.has(id)) faults.push(`${party.name} has the transfer ${id} twice`);
    seen.add(id);
    if (!hasSides(each)) faults.push(`${party.name}: the ${each.type} ${id} has the sides of another type`);
    add(each, each.from, -BigInt(each.amount));
    add(each, each.to, BigInt(each.amount));
  }
  const expected = new Map([...sums].filter(([, sum]) => sum !== 0n).map(([place, sum]) => [place, String(sum)]));
  const negative = [...sums].find(([, sum]) => sum < 0n);
  if (negative !== undefined) faults.push(`${party.name}: ${negative[0]} is below zero`);
  faults.push(...differences(expected, balancesOf(party)).map((sentence) => `${party.name}: balance ${sentence}`));
  return faults;
}

/** A mint comes from nobody, a burn goes to nobody, a transfer has both sides. */
function hasSides({ type, from, to }: TransferFacts): boolean {
  return (from === undefined) === (type === 'mint') && (to === undefined) === (type === 'burn');
}

function differences(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] {
  const names = new Set([...one.keys(), ...other.keys()]);
  return [...names].flatMap((name) => {
    const [left, right] = [one.get(name) ?? 'nothing', other.get(name) ?? 'nothing'];
    return left === right ? [] : [`${name} is ${left} and ${right}`];
  });
}
