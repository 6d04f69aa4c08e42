import { Type } from '@sinclair/typebox';
import { ContractInterface } from '../../../../../src/wire/contracts/contract.js';
import { pathOf } from '../../../actions/action.js';
import { ActionButton } from '../../../actions/action-button.js';
import { PublishButton } from '../../../actions/publish-button.js';
import { useExplorer } from '../../../api/explorer.js';
import { Section } from '../../../components/page/section.js';
import { Text } from '../../../components/text/text.js';
import styles from '../contracts.module.css';
import { ContractActions } from './contract-actions.js';

/** The actions on an interface. It can be published and deleted unless it is published. */
export function InterfaceActions({ of }: { readonly of: ContractInterface }) {
  const { id = '', name, version, published = false } = of;
  return (
    <Section title="Actions">
      <div className={styles.buttons}>
        <ContractActions only={['api']} interfaceId={id} />
        {!published && (
          <>
            <PublishButton
              what="interface"
              name={name}
              path={`${pathOf('contracts', 'interfaces', name, version)}/publish`}
              schema={ContractInterface}
              subjects={['interfaces']}
            />
            <Deletion id={id} name={`${name} ${version}`} />
          </>
        )}
      </div>
    </Section>
  );
}

function Deletion({ id, name }: { readonly id: string; readonly name: string }) {
  const { places } = useExplorer();
  return (
    <ActionButton
      label="Delete"
      title="Delete the interface"
      action={{ method: 'DELETE', path: pathOf('contracts', 'interfaces', id) }}
      schema={Type.Null()}
      subjects={['interfaces']}
      onDone={() => places.go({ id: undefined, open: undefined })}
    >
      <p>
        Deletes <Text value={name} /> from this node. Contracts are not affected.
      </p>
    </ActionButton>
  );
}
