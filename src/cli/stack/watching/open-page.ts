import type { openFlags } from './flags.js';
import type { FlagsOf } from '../../flag-types.js';
import { launch } from '../../child.js';
import { result } from '../../terminal/output.js';
import { findService } from './observe.js';
import type { Stack } from '../../../stack/places/locate.js';
import { tokenFile } from '../../../stack/keys/tokens.js';
import { type CommandContext, openRunningStack } from '../../requests/target.js';
import { textOf } from '../../../wire/json/json.js';

export type OpenFlags = FlagsOf<typeof openFlags> & {
  readonly service?: string | undefined;
};

/**
 * `stack open`: prints the URL, and opens it if there is a terminal and a display.
 *
 * @throws CliError as `findService`
 */
export async function openPage(flags: OpenFlags, context: CommandContext): Promise<void> {
  const { output } = context;
  const row = await findService(flags, context);
  const url = row.kind === 'node' ? `${row.url}/ui` : row.url;
  if (!flags.print) await launchPage(url, context);
  if (output.isJson) await output.json(textOf(result({ service: row.name, url })));
  else await output.line(url);
  if (row.kind === 'node') await noteCredentials(await openRunningStack(flags, context), row.name, context);
}

/** Says what to type into the browser's window for credentials, which names neither. */
export async function noteCredentials(stack: Stack, party: string, { output }: CommandContext): Promise<void> {
  if (!stack.settings.auth.enabled || output.isJson) return;
  const file = tokenFile(stack.layout, party);
  await output.note(`The browser asks for a user name and a password: ${party}, and the token in ${file}`);
}

/** Opens a page in the browser, if there is a terminal and a display. */
export async function launchPage(url: string, { output, environment }: CommandContext): Promise<void> {
  const isMac = process.platform === 'darwin';
  const hasDisplay = isMac || Boolean(environment['DISPLAY'] ?? environment['WAYLAND_DISPLAY']);
  if (!output.isJson && output.out.isTerminal && hasDisplay) await launch(isMac ? 'open' : 'xdg-open', [url]);
}
