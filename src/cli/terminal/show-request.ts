import { curlCommand, curlWith, quote } from '../../client/curl.js';
import { textOf } from '../../wire/json/json.js';
import { routes } from '../../wire/routes.js';
import { type FileUpload, mediaTypeOf, uploadFields, uploadName } from '../data/upload.js';
import type { PartyNode, CommandContext } from '../requests/target.js';
import { safe } from './text.js';

export interface ShownRequest {
  /** Relative to the namespace. */
  readonly path: string;
  /** With `fileMark(n)` in place of the id of a file. */
  readonly body: string;
}

/** The placeholder for the id that the n-th file, counted from 0, will get from the node. */
export function fileMark(n: number): string {
  return `<id of file ${n + 1}>`;
}

/** `--curl` and `--dry-run`: prints the uploads of files, which precede the message. Sends nothing. */
export async function showUploads(
  uploads: readonly FileUpload[],
  { client, credential, caFile }: PartyNode,
  isCurl: boolean,
  { output }: CommandContext,
): Promise<void> {
  for (const [n, upload] of uploads.entries()) {
    const fields = uploadFields(upload);
    const name = uploadName(upload);
    const url = client.address(routes.uploadData.path);
    if (isCurl) {
      const words = Object.entries(fields).map(([key, value]) => `-F ${quote(`${key}=${value}`)}`);
      const [path, type, sent] = [inForm(upload.path), mediaTypeOf(name), inForm(name)];
      const file = `-F ${quote(`file=@${path};type=${type};filename=${sent}`)}`;
      const send = `${curlWith(credential, caFile)} ${quote(url)} ${[...words, file].join(' ')}`;
      await output.line(`FILE${n + 1}=$(${send} | grep -o '"id":"[^"]*"' | head -1 | cut -d '"' -f 4)`);
    } else if (output.isJson) {
      await output.json(textOf({ schemaVersion: 1, method: 'POST', url, form: fields, file: upload.path }));
    } else await output.line(`POST ${url}\n${safe(`file ${upload.path} ${textOf(fields)}`)}`);
  }
}

/** Quotes a name for curl's -F, where a comma or semicolon ends a name. */
function inForm(name: string): string {
  return /[",;\\]/.test(name) ? `"${name.replaceAll(/["\\]/g, '\\$&')}"` : name;
}

/** `--curl` and `--dry-run`: prints a request with a JSON body. Sends nothing. */
export async function showRequest(
  { path, body }: ShownRequest,
  { client, credential, caFile }: PartyNode,
  isCurl: boolean,
  { output }: CommandContext,
): Promise<void> {
  const url = client.address(path);
  if (isCurl) {
    // The shell inserts the id between two quoted parts of the body.
    const command = curlCommand({ method: 'POST', url, body, credential, caFile });
    await output.line(command.replaceAll(/"id":"<id of file (\d+)>"/g, `"id":"'"$FILE$1"'"`));
  } else if (output.isJson) {
    await output.json(`{"schemaVersion":1,"method":"POST","url":${textOf(url)},"body":${body}}`);
  } else await output.line(`POST ${url}\n${safe(body)}`);
}
