import { CliError } from '../errors/exit.js';

/** The host and port of a node's URL. @throws CliError USAGE for an invalid URL, or one with a password */
export function hostOf(url: string): string {
  const { protocol, host, username, password } = URL.canParse(url) ? new URL(url) : noUrl;
  if (username !== '' || password !== '') {
    throw new CliError('USAGE', '--url must not contain a password: other users can read command lines.', {
      hint: 'Write user:password to a file of mode 0600 and pass it with --auth-file.',
    });
  }
  if (/^https?:$/.test(protocol) && host !== '') return host;
  throw new CliError('USAGE', `--url must be like http://127.0.0.1:16010, not "${url}".`);
}

const noUrl = { protocol: '', host: '', username: '', password: '' };
