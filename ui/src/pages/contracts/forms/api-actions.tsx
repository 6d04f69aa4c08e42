import { Type } from '@sinclair/typebox';
import { ContractApi } from '../../../../../src/wire/contracts/contract.js';
import { pathOf } from '../../../actions/action.js';
import { ActionButton } from '../../../actions/action-button.js';
import { PublishButton } from '../../../actions/publish-button.js';
import { useExplorer } from '../../../api/explorer.js';
import { Section } from '../../../components/page/section.js';
import { Text } from '../../../components/text/text.js';
import styles from '../contracts.module.css';
import { ApiChange } from './api-change.js';

/** The actions on a contract API. It can be published and deleted unless it is published. */
export function ApiActions({ api }: { readonly api: ContractApi }) {
  const { name, published } = api;
  return (
    <Section title="Actions">
      <div className={styles.buttons}>
        <ApiChange api={api} />
        {!published && (
          <>
            <PublishButton
              what="contract API"
              name={name}
              path={`${pathOf('apis', name)}/publish`}
              schema={ContractApi}
              subjects={['apis']}
            />
            <Deletion name={name} />
          </>
        )}
      </div>
    </Section>
  );
}

function Deletion({ name }: { readonly name: string }) {
  const { places } = useExplorer();
  return (
    <ActionButton
      label="Delete"
      title="Delete the contract API"
      action={{ method: 'DELETE', path: pathOf('apis', name) }}
      schema={Type.Null()}
      subjects={['apis']}
      onDone={() => places.go({ id: 'apis', open: undefined })}
    >
      <p>
        Deletes <Text value={name} /> from this node. The contract and its interface are kept.
      </p>
    </ActionButton>
  );
}
