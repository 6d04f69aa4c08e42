import { launch } from '../../child.js';
import { result } from '../../terminal/output.js';
import { findService } from './observe.js';
import type { Surroundings } from '../../requests/target.js';
import { textOf } from '../../../wire/json/json.js';

export interface OpenWords {
  readonly stack?: string | undefined;
  readonly service?: string | undefined;
  readonly print: boolean;
}

/**
 * `stack open`: prints the address; opens it if there is a terminal and a display. @throws CliError as `findService`
 */
export async function openPage(words: OpenWords, surroundings: Surroundings): Promise<void> {
  const { output } = surroundings;
  const row = await findService(words, surroundings);
  const url = row.kind === 'node' ? `${row.url}/ui` : row.url;
  if (!words.print) launchPage(url, surroundings);
  if (output.isJson) await output.json(textOf(result({ service: row.name, url })));
  else await output.line(url);
}

/** Opens a page in the browser, if there is a terminal and a display. */
export function launchPage(url: string, { output, environment }: Surroundings): void {
  const isMac = process.platform === 'darwin';
  const hasDisplay = isMac || Boolean(environment['DISPLAY'] ?? environment['WAYLAND_DISPLAY']);
  if (!output.isJson && output.out.isTerminal && hasDisplay) launch(isMac ? 'open' : 'xdg-open', [url]);
}
