import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClientError } from '../../client/errors.js';
import { readPage } from '../../client/page.js';
import { textOf } from '../../wire/json/json.js';
import type { TokenPool } from '../../wire/token.js';
import { nameOf } from '../datatypes/define.js';
import { limitSignal } from '../duration.js';
import { CliError } from '../errors/exit.js';
import { fileText, jsonValue } from '../requests/payload.js';
import type { PartyNode } from '../requests/target.js';
import type { Step } from './read.js';

const pollMs = 50;
const waitMs = 60_000;

type Definition = Pick<Step, 'command' | 'given'>;

/**
 * Whether the datatype or pool of a step already exists. For other steps the idempotency key tells.
 *
 * @throws CliError CONFLICT for a different datatype or pool of the same name
 */
export async function isPresent(
  { command, given }: Definition,
  party: PartyNode,
  argv: readonly string[],
): Promise<boolean> {
  if (command === 'datatype define') return hasDatatype(party, given, argv.at(-1) ?? '');
  if (command === 'pool create') return hasPool(party, given);
  return false;
}

/** Waits until the pool of a step is active. @throws CliError TIMEOUT */
export async function untilUsable({ command, given }: Definition, party: PartyNode): Promise<void> {
  if (command === 'pool create') await untilActive(party, textOr(given['name']) ?? '');
}

type Given = Readonly<Record<string, unknown>>;

async function hasDatatype({ client, name: party }: PartyNode, given: Given, file: string): Promise<boolean> {
  const text = await fileText(file);
  const { name, version } = nameOf({ file, name: textOr(given['name']), version: textOr(given['version']) });
  const { entries } = await readPage(client, 'listDatatypes', [
    ['name', `=${name}`],
    ['version', `=${version}`],
  ]);
  const [found] = entries;
  if (found === undefined) return false;
  const hash = createHash('sha256').update(jsonValue(text, file)).digest('hex');
  if (found.value.hash === hash) return true;
  throw new CliError('CONFLICT', `${party} already has ${name}@${version} with another definition`, {
    hint: 'A datatype cannot be changed; give the new one another version.',
    details: { datatype: found.value.id },
  });
}

async function hasPool(party: PartyNode, given: Given): Promise<boolean> {
  const name = textOr(given['name']) ?? '';
  const found = await poolAt(party, name);
  if (found === undefined) return false;
  const [field] = (['type', 'connector', 'symbol'] as const).filter(
    (each) => given[each] !== undefined && given[each] !== found[each],
  );
  if (field !== undefined) {
    throw new CliError(
      'CONFLICT',
      `${party.name} already has a pool ${name}, whose ${field} is ${found[field] ?? 'not set'}`,
      {
        hint: 'Give the new pool another name.',
        details: { pool: found.id },
      },
    );
  }
  return true;
}

/** Waits for a pool, as an earlier seed may have been killed before the pool was active. */
async function untilActive(party: PartyNode, name: string): Promise<void> {
  const signal = limitSignal(waitMs);
  while ((await poolAt(party, name))?.active !== true) {
    if (signal.aborted)
      throw new CliError(
        'TIMEOUT',
        `The pool ${name} did not become active at ${party.name} within ${waitMs / 1_000} s.`,
      );
    await sleep(pollMs);
  }
}

async function poolAt({ client }: PartyNode, nameOrId: string): Promise<TokenPool | undefined> {
  try {
    return (await client.getTokenPool({ path: { nameOrId } })).value;
  } catch (error) {
    if (error instanceof ClientError && error.status === 404) return undefined;
    throw error;
  }
}

function textOr(value: unknown): string | undefined {
  return value === undefined || typeof value === 'string' ? value : textOf(value);
}
