import type { uploadFlags } from './flags.js';
import type { FlagsOf } from '../flag-types.js';
import type { Data } from '../../wire/data/data.js';
import { datatypeName } from '../datatypes/name.js';
import { CliError } from '../errors/exit.js';
import { loadText, payloadSource, payloadValue } from '../requests/payload.js';
import { readAll } from '../terminal/stdin.js';
import { openTarget, type CommandContext } from '../requests/target.js';
import { shortId, sizeOf } from '../terminal/text.js';
import { fileSize, uploadFile } from './upload.js';

export type UploadFlags = FlagsOf<typeof uploadFlags> & {
  /** `-` = stdin; undefined for a value without a file. */
  readonly file: string | undefined;
};

/** `stack data upload`. @throws CliError USAGE; ClientError, UnreachableError */
export async function uploadOne(flags: UploadFlags, context: CommandContext): Promise<string> {
  const { file, progress } = flags;
  if (file === undefined && flags.value === undefined) throw new CliError('USAGE', 'Name a FILE, or give a --value.');
  if (file === '-' && flags.value === '-') throw new CliError('USAGE', '- (stdin) can be used only once.');
  const datatype = flags.datatype === undefined ? undefined : datatypeName(flags.datatype);
  const text = flags.value === undefined ? undefined : await loadText(payloadSource(flags.value), readStdin);
  const value = text === undefined ? undefined : payloadValue(text);
  if (file !== undefined) await fileSize(file);
  const { party } = await openTarget(flags, context);
  const { output } = context;
  // Name, type and size of a file can be added only to an object.
  const hasAutometa = flags.autometa && (value === undefined || value.startsWith('{'));
  const { text: served, value: data } =
    file === undefined
      ? await party.client.uploadData({ body: { ...(value === undefined ? {} : { value }), ...withType(datatype) } })
      : await uploadFile({ path: file, name: flags.name, hasAutometa, metadata: value, datatype }, party, {
          output,
          progress,
        });
  if (output.isJson) await output.json(served);
  else if (output.isQuiet) await output.line(data.id);
  else await output.line(uploadedText(data, context));
  return data.id;
}

function withType(datatype: { readonly name: string; readonly version: string } | undefined) {
  return datatype === undefined ? {} : { datatype };
}

function readStdin(): Promise<Buffer> {
  return readAll(process.stdin);
}

function uploadedText({ id, hash, blob }: Data, { output }: CommandContext): string {
  const { isTerminal, paint } = output.out;
  const shown = blob?.hash ?? hash;
  if (!isTerminal) return [id, shown, ...(blob === undefined ? [] : [String(blob.size)])].join('\t');
  const size = blob === undefined ? '' : ` · ${sizeOf(blob.size)}`;
  return `${paint('green', '✓')} data ${paint('bold', shortId(id))}${size} · sha256 ${shown.slice(0, 16)}…`;
}
