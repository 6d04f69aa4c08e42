import { CliError } from '../errors/exit.js';

/** The host and port of a node's address. @throws CliError USAGE for what is no address, or has a password */
export function hostOf(url: string): string {
  const { protocol, host, username, password } = URL.canParse(url) ? new URL(url) : noUrl;
  if (username !== '' || password !== '') {
    throw new CliError('USAGE', 'A password must not be in --url, where other users can see it.', {
      hint: 'Put user:password into a file of mode 0600 and name it with --auth-file.',
    });
  }
  if (/^https?:$/.test(protocol) && host !== '') return host;
  throw new CliError('USAGE', `--url must be like http://127.0.0.1:16010, not "${url}".`);
}

const noUrl = { protocol: '', host: '', username: '', password: '' };
