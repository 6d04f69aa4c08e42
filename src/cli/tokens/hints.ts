import { ClientError } from '../../client/errors.js';
import { readPage } from '../../client/page.js';
import { nearestHint } from '../../wire/lists/query.js';
import { CliError } from '../errors/exit.js';
import { isAddress, readOwners, unknownOwner } from '../requests/owners.js';
import { refusalRemedy, refusalText } from './refusal-texts.js';
import { partyFlag, type Target } from '../requests/target.js';
import type { TokenFlags } from './token-flags.js';

/** Maximum number of candidates listed. */
const maxListed = 20;

type TypedFlags = Pick<TokenFlags, 'pool' | 'from' | 'to' | 'token-index' | 'key'>;

/**
 * Adds the possible choices to a failure: pools, connectors, tokens, or the most similar name. The node's response is
 * in `details`.
 */
export async function withChoices(
  error: unknown,
  typed: TypedFlags,
  target: Target,
  program: string,
): Promise<unknown> {
  if (error instanceof CliError && error.code === 'REJECTED') return withRetry(error, target, program);
  if (!(error instanceof ClientError)) return error;
  const details = { status: error.status, nodeCode: error.code, body: error.body };
  const [, field, candidates] = /The field (\w+) is required, since there are several: (.*)\.$/.exec(error.text) ?? [];
  if (error.code === 'FF10292' && field !== undefined && candidates !== undefined) {
    return new CliError('USAGE', `--${field} is required: ${candidates}`, { details });
  }
  const creation = `Create one: ${program} pool create coins --type fungible${partyFlag(target)}`;
  if (error.code === 'FF00112' && error.text.startsWith('The field pool is required')) {
    return new CliError('NOT_FOUND', 'No token pool exists yet.', { hint: creation, details });
  }
  if (error.status === 404 && typed.pool !== undefined) {
    const pools = await poolNames(target);
    const near = pools.length === 0 ? '.' : nearestHint(typed.pool, pools);
    const hint = pools.length > 0 ? undefined : creation;
    return new CliError('NOT_FOUND', `No pool named "${typed.pool}"${near}`, { hint, details });
  }
  if (error.code === 'PY1402' && typed['token-index'] === undefined) {
    const indexes = await heldTokens(typed, target);
    if (indexes.length > 0) {
      return new CliError('USAGE', `--token-index is required: ${indexes.join(', ')}`, { details });
    }
  }
  if (error.code === 'FF10141' || error.code === 'FF10277') {
    const wrong = [typed.to, typed.from].find((word) => word !== undefined && error.text.includes(`"${word}"`));
    const names = target.parties.map(({ name }) => name);
    if (wrong !== undefined) return unknownOwner(wrong, names, details);
  }
  return error;
}

/** Rewrites the message if possible, and adds a remedy: a retry only if no contract has refused the operation. */
async function withRetry(error: CliError, target: Target, program: string): Promise<CliError> {
  const { operation, error: reason } = error.details;
  if (typeof operation !== 'string') return error;
  const text = typeof reason === 'string' ? refusalText(reason, await readOwners(target.party.client)) : undefined;
  const remedy = typeof reason === 'string' ? refusalRemedy(reason, program) : undefined;
  const again = `operations/${operation}/retry${partyFlag(target)}`;
  return new CliError('REJECTED', text === undefined ? error.message : `The operation failed: ${text}`, {
    hint: remedy ?? `Nothing has changed on the chain. To retry: ${program} api POST ${again}`,
    details: error.details,
    cause: error,
  });
}

async function poolNames({ party }: Target): Promise<string[]> {
  const { entries } = await readPage(party.client, 'listTokenPools', [['limit', String(maxListed)]]);
  return entries.map(({ value }) => value.name);
}

/** The tokens of the pool that the sender holds. */
async function heldTokens({ pool, from, key }: TypedFlags, target: Target): Promise<string[]> {
  const { client } = target.party;
  const holder = from ?? key ?? target.party.organization ?? '';
  const keys = isAddress(holder) ? [holder] : (await readOwners(client)).keysOf(holder);
  const pools = pool === undefined ? [] : [(await client.getTokenPool({ path: { nameOrId: pool } })).value.id];
  const { entries } = await readPage(client, 'listTokenBalances', [
    ...keys.map((each) => ['key', each] as const),
    ...pools.map((id) => ['pool', id] as const),
    ['balance', '>0'],
    ['limit', String(maxListed)],
  ]);
  return entries.flatMap(({ value }) => value.tokenIndex ?? []);
}
