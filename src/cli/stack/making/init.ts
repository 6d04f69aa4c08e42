import { createStack, partyNames, settingsOfTemplate } from '../../../stack/create.js';
import { placeFrom } from '../../../stack/layout.js';
import { loadStack } from '../../../stack/places/locate.js';
import type { Setting } from '../../../stack/definition/render.js';
import { readSetting } from '../../config/setting.js';
import { durationMs } from '../../duration.js';
import type { ProgressKind } from '../../terminal/progress.js';
import type { Surroundings } from '../../requests/target.js';
import { fireflySettings } from './firefly.js';
import { answer, start } from '../starting/lifecycle.js';
import { databaseSettings } from './database-flag.js';
import { storeSettings } from './store-flag.js';

export interface InitWords {
  readonly name?: string | undefined;
  readonly template?: string | undefined;
  readonly parties?: string | undefined;
  readonly sets: readonly string[];
  readonly portBase?: string | undefined;
  readonly chain?: string | undefined;
  readonly db?: string | undefined;
  readonly runtime?: string | undefined;
  readonly store?: string | undefined;
  readonly firefly: boolean;
  readonly here: boolean;
  readonly 'if-missing': boolean;
  readonly 'dry-run': boolean;
  readonly start: boolean;
  readonly timeout: string;
  readonly progress: ProgressKind;
}

/** `stack init`. @throws CliError USAGE; StackError as `createStack` and `startStack` */
export async function initStack(words: InitWords, surroundings: Surroundings): Promise<void> {
  const { output, environment, program } = surroundings;
  const place = placeFrom(environment);
  const timeoutMs = durationMs(words.timeout, '--timeout');
  const settings = words.sets.map((text) => readSetting(text, '--set'));
  // A flag or --set of one of these counts more.
  if (words.firefly) {
    const workingDirectory = process.cwd();
    const template = await settingsOfTemplate(place, { ...words, settings, parties: undefined, workingDirectory });
    settings.unshift(...fireflySettings(words, template));
  }
  if (words.portBase !== undefined) settings.push({ path: ['ports', 'base'], value: words.portBase });
  if (words.runtime !== undefined) settings.unshift({ path: ['runtime'], value: words.runtime });
  if (words.chain !== undefined) {
    settings.unshift(...chainSettings(words.chain));
  }
  if (words.db !== undefined) settings.unshift(...databaseSettings(words.db, process.cwd()));
  if (words.store !== undefined) settings.unshift(...storeSettings(words.store));
  const created = await createStack(place, {
    name: words.name,
    template: words.template,
    ...(words.parties === undefined ? {} : { parties: partyNames(words.parties) }),
    settings,
    here: words.here,
    ifMissing: words['if-missing'],
    dryRun: words['dry-run'],
    workingDirectory: process.cwd(),
  });
  if (words.start) {
    await start(await loadStack(place, created.name), { timeoutMs }, words.progress, surroundings);
    return;
  }
  const { name, dir, configPath, template, parties } = created;
  const what = created.created ? 'created' : words['dry-run'] ? 'would be created' : 'is there already';
  const mark = output.out.paint('green', '✓');
  const text = `${mark} ${name} ${what}: ${parties.join(', ')} (${template})\n  ${configPath}`;
  await answer(output, { name, dir, configPath, template, parties, created: created.created }, text, name);
  if (words.name === undefined && !output.isJson)
    await output.note(`Its name is ${name}; choose one with: ${program} init NAME`);
}

/** The settings for `--chain`: a chain of the stack's own by the name of its engine, any other by its address. */
function chainSettings(word: string): Setting[] {
  const isOwn = word === 'anvil' || word === 'hardhat';
  const provider = { path: ['chain', 'provider'], value: isOwn ? word : 'url' };
  return isOwn ? [provider] : [provider, { path: ['chain', 'url'], value: word }];
}
