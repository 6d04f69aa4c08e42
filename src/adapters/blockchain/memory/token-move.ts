import type { UndoableMap } from './undoable.js';

export const noAddress = `0x${'0'.repeat(40)}`;

const maxAmount = (1n << 256n) - 1n;
/** The compiler's panic code for an overflow. */
const overflow = 17n;

/** A revert of the contract: an error of its own by name, or a panic of the compiler. */
export class TokenRefusal extends Error {
  readonly values: readonly unknown[];

  constructor(
    readonly error: string,
    ...values: readonly unknown[]
  ) {
    super(error);
    this.name = 'TokenRefusal';
    this.values = values;
  }
}

/** The storage of `TokenPools.sol`. */
export interface TokenState {
  readonly counters: UndoableMap<'pools', bigint>;
  /** By pool: its creator, and the number of tokens ever minted if it is non-fungible. */
  readonly pools: UndoableMap<bigint, { readonly creator: string; readonly tokens: bigint }>;
  /** By pool: the URI of tokens from an index on, until the next one. */
  readonly uris: UndoableMap<bigint, readonly { readonly firstIndex: bigint; readonly uri: string }[]>;
  /** By token and account. */
  readonly balances: UndoableMap<string, bigint>;
  /** By account and operator. */
  readonly approvals: UndoableMap<string, boolean>;
}

/** A call: its sender, and the events that it emits. */
export interface TokenCall {
  readonly state: TokenState;
  readonly sender: string;
  readonly emit: (event: string, values: readonly unknown[]) => void;
  /** Whether there is code at an address. */
  readonly isContract: (address: string) => boolean;
}

export interface Move {
  readonly from: string;
  readonly to: string;
  readonly tokens: readonly { readonly id: bigint; readonly amount: bigint }[];
  readonly data: unknown;
  readonly uri?: string;
}

/** Transfers tokens; the zero address has no balance. Emits the event with the call's data. Throws TokenRefusal. */
export function move(call: TokenCall, { from, to, tokens, data, uri = '' }: Move): void {
  const { state, sender, emit, isContract } = call;
  for (const { id, amount } of tokens) {
    if (from !== noAddress) {
      const balance = state.balances.get(`${id} ${from}`) ?? 0n;
      if (balance < amount) throw new TokenRefusal('ERC1155InsufficientBalance', from, balance, amount, id);
      state.balances.set(`${id} ${from}`, balance - amount);
    }
    if (to === noAddress) continue;
    const balance = (state.balances.get(`${id} ${to}`) ?? 0n) + amount;
    if (balance > maxAmount) throw new TokenRefusal('Panic', overflow);
    state.balances.set(`${id} ${to}`, balance);
  }
  const [first] = tokens;
  if (first !== undefined && tokens.length === 1) emit('TransferSingle', [sender, from, to, first.id, first.amount]);
  else {
    const [ids, amounts] = [tokens.map(({ id }) => id), tokens.map(({ amount }) => amount)];
    emit('TransferBatch', [sender, from, to, ids, amounts]);
  }
  emit('TransferData', [sender, data, uri]);
  if (isContract(to)) throw new TokenRefusal('ERC1155InvalidReceiver', to);
}
