/**
 * Texts by which servers report that the rules of the chain do not allow a call's gas limit or size, in a dry run or
 * when it is sent. No later attempt can change that. The first in a line are those of Hardhat's engine.
 */
const ruleWords = [
  'requires (?:at least \\d+ gas|gas floor)|intrinsic gas|floor data gas|gas (?:cost|floor) .*exceeds the gas limit',
  'gas limit .* greater than the cap|gas limit (?:is )?too|exceeds (?:(?:the )?block gas|transaction gas cap)',
  'init ?code',
];

/** How servers report that the contract or the EVM refused. */
export const revertPattern = new RegExp(
  [
    'revert',
    'out of gas',
    'invalid opcode',
    'invalid jump',
    'stack (?:under|over)flow',
    'gas required exceeds',
    // The code that a contract creation returns.
    'max code size exceeded',
    'must not begin with 0xef',
    // Anvil reports failures of its own in this way, too.
    'evm error (?!fatal)',
    ...ruleWords,
  ].join('|'),
  'i',
);

/**
 * Errors of a sent call that no later attempt can change. All others (fees, a full queue, a fault of the server) are
 * retried: giving up a call too early would leave a gap in its key's nonces.
 */
export const hopelessPattern = new RegExp(
  ['invalid sender', 'chain ?id', 'oversized', '\\brlp\\b', ...ruleWords].join('|'),
  'i',
);

/** How servers report that a key's balance is too low for a call. */
export const fundsPattern = /insufficient funds|enough funds/i;

/** JSON-RPC codes of a server that answers no request now (EIP-1474), and HTTP's for too many requests. */
const busyCodes: ReadonlySet<number> = new Set([-32_005, -32_002, 429]);

/** Whether an error concerns the server or the key, so that other calls of the key would fail too. */
export function isForAllCalls({ code, message }: { readonly code: number; readonly message: string }): boolean {
  return busyCodes.has(code) || fundsPattern.test(message);
}
