import { placeFrom } from '../../stack/layout.js';
import { readTemplate, type Template, listTemplates } from '../../stack/templates/template.js';
import { checkTemplate, tryTemplate } from '../../stack/templates/template-check.js';
import { createTemplate } from '../../stack/templates/template-new.js';
import { InvalidFile } from '../../stack/definition/yaml-text.js';
import { textOf } from '../../wire/json/json.js';
import { durationMs } from '../duration.js';
import { startDefaults } from '../flags.js';
import { result } from '../terminal/output.js';
import { printProblems } from '../config/problems.js';
import { type ProgressKind, secondsText, withProgress } from '../terminal/progress.js';
import { type Column, printTable, type TableOptions } from '../terminal/table.js';
import type { CommandContext } from '../requests/target.js';
import { safe } from '../terminal/text.js';

interface TemplateRow {
  readonly name: string;
  readonly from: 'package' | 'user';
  /** Null if the template cannot be read. */
  readonly version: number | null;
  readonly description: string;
  readonly dir: string;
}

/** `stack template list`. */
export async function listAllTemplates(table: TableOptions, { output, environment }: CommandContext): Promise<void> {
  const place = placeFrom(environment);
  const rows = await Promise.all(
    (await listTemplates(place)).map(async ({ name, from, directory }): Promise<TemplateRow> => {
      const template = await readTemplate(place, directory, '/').catch((error: unknown) => error);
      return isTemplate(template)
        ? { name, from, version: template.version, description: template.description, dir: directory }
        : { name, from, version: null, description: `cannot be read: ${messageOf(template)}`, dir: directory };
    }),
  );
  if (output.isJson) await output.json(textOf(result({ templates: rows })));
  else if (output.isQuiet) await output.out.write(rows.map(({ name }) => `${name}\n`).join(''));
  else await printTable(output, rows, columns, table);
}

function isTemplate(value: unknown): value is Template {
  return !(value instanceof Error);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const columns: readonly Column<TemplateRow>[] = [
  { name: 'template', text: ({ name, version }) => (version === null ? name : `${name}@${version}`) },
  { name: 'from', text: ({ from }) => from },
  { name: 'description', text: ({ description }) => safe(description) },
  { name: 'dir', spare: 1, text: ({ dir }) => safe(dir) },
];

/** `stack template show`. @throws StackError TEMPLATE_NOT_FOUND, TEMPLATE_INVALID */
export async function showTemplate(name: string, { output, environment }: CommandContext): Promise<void> {
  const template = await readTemplate(placeFrom(environment), name, process.cwd());
  const { version, description, parameters, directory, text, base } = template;
  const files = template.files.map(({ path }) => path);
  const members = { version, description, extends: base?.name, parameters, files, dir: directory, text };
  if (output.isJson) await output.json(textOf(result({ name: template.name, ...members })));
  else if (output.isQuiet) await output.line(safe(directory));
  else {
    const { paint } = output.out;
    const lines = Object.entries(parameters).map(([key, { title, default: initial }]) => {
      const value = initial === undefined ? 'required' : `default ${textOf(initial)}`;
      return `  ${safe(key)}: ${safe(title)}; ${safe(value)}`;
    });
    const head = [`${paint('bold', `${template.name}@${version}`)} · ${safe(description)}`, `  ${safe(directory)}`];
    const extended = base === undefined ? [] : [`  extends ${base.name}@${base.version}`];
    const copied = files.length === 0 ? [] : [`  with ${safe(files.join(', '))}`];
    await output.line([...head, ...extended, ...copied, ...lines, '', text.trimEnd()].join('\n'));
  }
}

export interface ValidateFlags {
  readonly start: boolean;
  readonly timeout?: string | undefined;
  readonly progress?: ProgressKind | undefined;
}

/** `stack template validate`. @throws CliError USAGE for a file with problems; StackError */
export async function validateTemplate(name: string, flags: ValidateFlags, context: CommandContext): Promise<void> {
  const { output, environment } = context;
  const { timeout = startDefaults.timeout, progress = startDefaults.progress } = flags;
  const timeoutMs = durationMs(timeout, '--timeout');
  const place = placeFrom(environment);
  try {
    const template = await readTemplate(place, name, process.cwd());
    checkTemplate(template);
    const startedMs = flags.start ? await tryWithProgress(template, timeoutMs, progress, context) : null;
    const members = { name: template.name, version: template.version, valid: true, startedMs };
    if (output.isJson) await output.json(textOf(result(members)));
    else if (!output.isQuiet) {
      const started = startedMs === null ? '' : ` and starts in ${secondsText(startedMs)}`;
      await output.line(`${output.out.paint('green', '✓')} ${template.name}@${template.version} is valid${started}`);
    }
  } catch (error) {
    if (!(error instanceof InvalidFile) || output.isJson) throw error;
    throw await printProblems(error, output);
  }
}

async function tryWithProgress(
  template: Template,
  timeoutMs: number,
  kind: ProgressKind,
  { output, environment }: CommandContext,
): Promise<number> {
  return withProgress(output, kind, (onProgress) =>
    tryTemplate(placeFrom(environment), template, { timeoutMs, onProgress }),
  );
}

/** `stack template new`. @throws StackError NAME_INVALID, NAME_EXISTS, TEMPLATE_NOT_FOUND */
export async function newTemplate(
  name: string,
  flags: { readonly here: boolean; readonly from: string },
  { output, environment }: CommandContext,
): Promise<void> {
  const place = placeFrom(environment);
  const from = await readTemplate(place, flags.from, process.cwd());
  const project = flags.here ? process.cwd() : undefined;
  const directory = await createTemplate(place, { name, from, project });
  if (output.isJson) await output.json(textOf(result({ name, dir: directory, from: from.name })));
  else if (output.isQuiet) await output.line(directory);
  else await output.line(`${output.out.paint('green', '✓')} ${name} created from ${from.name}\n  ${safe(directory)}`);
}
