import { Interface } from 'ethers';
import type { ContractLog } from '../../src/ports/blockchain.js';
import type { ContractRules } from '../../src/adapters/blockchain/memory/accounts.js';
import { createUndoable } from '../../src/adapters/blockchain/memory/undoable.js';

const method = 'function measure(uint256 number)';
const refusal = 'error TooMuch(uint256 number)';

export const meter = new Interface([
  method,
  refusal,
  'event Measured(address indexed by, uint256 number, uint256 count)',
  'event Alarm(uint256 number)',
]);

/** Another contract, whose events have the same signatures and a different layout. */
export const imitation = new Interface([
  method,
  refusal,
  'event Measured(address by, uint256 number, uint256 count)',
  'event Alarm(uint256 indexed number)',
]);

/** Two equal contracts, and the imitation. */
export const meterAddresses = ['d0', 'd1', 'd2'].map((end) => `0x${end.padStart(40, '0')}`);
const imitationAddress = meterAddresses[2];

/** Whether a number exceeds the contract's own limit, beyond which it refuses the call. */
export function isTooMuch(number: number): boolean {
  return number % 7 === 6;
}

/** Number of `Measured` logs of one accepted call. */
export function measuresOf(number: number): number {
  return 1 + (number % 3);
}

/** The contracts that users of the simulation call, except the one for tokens. */
export function createMeters(): ReadonlyMap<string, ContractRules> {
  return new Map(
    meterAddresses.map((address) => [address, createMeter(address === imitationAddress ? imitation : meter)]),
  );
}

/** Rules that count the measures, so that the content of a log depends on earlier calls. */
function createMeter(contract: Interface): ContractRules {
  const undoable = createUndoable();
  const state = undoable.map<string, number>();
  return {
    call(sender, data) {
      const number = Number(contract.decodeFunctionData('measure', data)[0]);
      if (isTooMuch(number)) {
        return { reason: 'execution reverted', data: contract.encodeErrorResult('TooMuch', [number]) };
      }
      undoable.begin();
      const logs = Array.from({ length: measuresOf(number) }, () => {
        const count = (state.get('count') ?? 0) + 1;
        state.set('count', count);
        return contract.encodeEventLog('Measured', [sender, number, count]);
      });
      if (number % 2 === 0) logs.splice(1, 0, contract.encodeEventLog('Alarm', [number]));
      return { logs, output: '0x' };
    },
    undo: () => undoable.undo(),
  };
}

/** An event, by its name and by whether one of its parameters is indexed. */
export type HeardKind = 'Measured' | 'plain Measured' | 'Alarm' | 'plain Alarm';

export const heardKinds: readonly HeardKind[] = ['Measured', 'plain Measured', 'Alarm', 'plain Alarm'];

export function kindOfEvent(name: string, isIndexed: boolean): HeardKind {
  const kind = heardKinds.find((each) => each === (isIndexed ? name : `plain ${name}`));
  if (kind === undefined) throw new Error(`no contract has the event ${name}`);
  return kind;
}

const contractOf: Readonly<Record<HeardKind, Interface>> = {
  Measured: meter,
  'plain Measured': imitation,
  Alarm: imitation,
  'plain Alarm': meter,
};

/** The parameters of an event as a request names them. */
export function paramsOf(
  kind: HeardKind,
): { readonly name: string; readonly type: string; readonly indexed: boolean }[] {
  const event = contractOf[kind].getEvent(nameOf(kind));
  return (event?.inputs ?? []).map(({ name, type, indexed }) => ({ name, type, indexed: indexed === true }));
}

export function nameOf(kind: HeardKind): string {
  return kind.replace('plain ', '');
}

/** A log as a listener for its event must receive it. */
export interface Heard {
  readonly place: string;
  readonly address: string;
  readonly name: string;
  readonly output: string;
}

/** Reads a log as this event; undefined if it is another. */
export function heardIn(kind: HeardKind, { topics, data, position, address }: ContractLog): Heard | undefined {
  const contract = contractOf[kind];
  const event = contract.getEvent(nameOf(kind));
  if (event === null || topics[0] !== event.topicHash) return undefined;
  if (topics.length !== 1 + event.inputs.filter(({ indexed }) => indexed).length) return undefined;
  const values = contract.decodeEventLog(event, data, topics);
  const members = event.inputs.map(({ name }, index) => [name, String(values[index]).toLowerCase()] as const);
  const { block, transactionIndex, logIndex } = position;
  const digits = [
    String(block).padStart(12, '0'),
    ...[transactionIndex, logIndex].map((each) => String(each).padStart(6, '0')),
  ];
  const output = JSON.stringify(Object.fromEntries(members));
  return { place: digits.join('/'), address, name: event.name, output };
}
