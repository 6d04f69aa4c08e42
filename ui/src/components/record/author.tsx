import { Text } from '../text/text.js';

const prefixes = ['did:parley:org/', 'did:firefly:org/', 'did:parley:', 'did:firefly:'];

/** The identity behind a message: its name, with the whole DID as its title. */
export function Author({ did }: { readonly did: string }) {
  const prefix = prefixes.find((each) => did.startsWith(each)) ?? '';
  return (
    <span title={did}>
      <Text value={did.slice(prefix.length)} />
    </span>
  );
}
