import { Text } from '../text/text.js';
import styles from './author.module.css';
import { didText } from './did-text.js';

interface Props {
  readonly did: string;
}

/** The author of a message or another identity, with the full DID as tooltip. */
export function Author({ did }: Props) {
  return (
    <span title={did}>
      <IdentityName did={did} />
    </span>
  );
}

/** The name of an identity. Unless it is an organisation, its kind is marked. */
export function IdentityName({ did }: Props) {
  const { name, kind } = didText(did);
  if (kind !== 'custom' && kind !== 'node') return <Text value={name} />;
  return (
    <>
      <span className={styles.kind}>{kind}</span> <Text value={name} />
    </>
  );
}
