import { stackStatus } from '../../../stack/status.js';
import { textOf } from '../../../wire/json/json.js';
import { result } from '../../terminal/output.js';
import { type Column, printTable, type TableOptions } from '../../terminal/table.js';
import { openRunningStack, type CommandContext } from '../../requests/target.js';

interface PartyRow {
  readonly name: string;
  readonly organization: string;
  readonly did: string;
  /** Signing key; null before the first start. */
  readonly address: string | null;
  readonly node: string;
  readonly state: string;
  readonly url: string | null;
}

/** `stack party list`, also for a stack that is not running. @throws StackError */
export async function listParties(
  flags: TableOptions & { readonly stack?: string | undefined },
  context: CommandContext,
): Promise<void> {
  const stack = await openRunningStack(flags, context);
  const { services, env } = await stackStatus(stack);
  const rows = stack.settings.parties.map(({ name, organization, node }): PartyRow => {
    const service = services.find((row) => row.name === name);
    const prefix = `STACK_${name.toUpperCase().replaceAll('-', '_')}`;
    return {
      name,
      organization,
      did: env[`${prefix}_DID`] ?? '',
      address: env[`${prefix}_ADDRESS`] ?? null,
      node,
      state: service?.state ?? 'stopped',
      url: service?.url ?? null,
    };
  });
  const { output } = context;
  if (output.isJson) await output.json(textOf(result({ parties: rows })));
  else if (output.isQuiet) await output.out.write(rows.map(({ name }) => `${name}\n`).join(''));
  else await printTable(output, rows, columns, flags);
}

const columns: readonly Column<PartyRow>[] = [
  { name: 'party', text: ({ name }) => name },
  { name: 'organization', spare: 3, text: ({ organization }) => organization },
  { name: 'did', text: ({ did }) => did },
  { name: 'address', spare: 1, text: ({ address }) => address ?? '-' },
  { name: 'node', spare: 2, text: ({ node }) => node },
  { name: 'state', text: ({ state }) => state },
  { name: 'url', text: ({ url }) => url ?? '-' },
];
