import { Type } from '@sinclair/typebox';
import { TokenPool } from '../../../../../src/wire/token.js';
import { pathOf } from '../../../actions/action.js';
import { ActionButton } from '../../../actions/action-button.js';
import { PublishButton } from '../../../actions/publish-button.js';
import { useExplorer } from '../../../api/explorer.js';
import { Section } from '../../../components/page/section.js';
import { Text } from '../../../components/text/text.js';
import styles from '../tokens.module.css';
import { TokenActions } from './token-actions.js';

/** The actions on a pool. It can be published and deleted unless it is published. */
export function PoolActions({ pool }: { readonly pool: TokenPool }) {
  const { id, name, active, published } = pool;
  return (
    <Section title="Actions">
      <div className={styles.buttons}>
        <TokenActions pool={name} only={['mint', 'transfer', 'burn', 'approve']} />
        {!published && active && (
          <PublishButton
            what="pool"
            name={name}
            path={`${pathOf('tokens', 'pools', id)}/publish`}
            schema={TokenPool}
            subjects={['pools']}
          />
        )}
        {!published && <Deletion id={id} name={name} />}
      </div>
    </Section>
  );
}

function Deletion({ id, name }: { readonly id: string; readonly name: string }) {
  const { places } = useExplorer();
  return (
    <ActionButton
      label="Delete"
      title="Delete the pool"
      action={{ method: 'DELETE', path: pathOf('tokens', 'pools', id) }}
      schema={Type.Null()}
      subjects={['pools', 'balances', 'transfers', 'approvals', 'accounts']}
      onDone={() => places.go({ id: undefined, open: undefined })}
    >
      <p>
        Deletes <Text value={name} /> from this node, with its balances, transfers and approvals. The tokens remain on
        the chain.
      </p>
    </ActionButton>
  );
}
