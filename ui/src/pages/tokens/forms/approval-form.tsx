import { useEffect, useState } from 'react';
import { ActionForm } from '../../../actions/action-form.js';
import { AttachedFields } from '../../../actions/attached-fields.js';
import { noMessage } from '../../../actions/attached-message.js';
import { ChoiceField } from '../../../actions/fields.js';
import { ActionResult } from '../../../actions/action-result.js';
import { More } from '../../../actions/more.js';
import { SigningFields } from '../../../actions/signing-fields.js';
import { useAction } from '../../../actions/use-action.js';
import { useFields } from '../../../actions/use-fields.js';
import { useProblems } from '../../../actions/use-problems.js';
import { TokenApproval } from '../../../../../src/wire/token.js';
import { HolderField, PoolField } from './choices.js';
import { approvalAction, judgeApproval } from './requests.js';

const initial = { pool: '', operator: '', approved: 'yes', key: '', idempotencyKey: '', ...noMessage };

/** The form that approves or revokes an operator. */
export function ApprovalForm({ pool }: { readonly pool: string }) {
  const { values, set, reset } = useFields('token approval', initial);
  const run = useAction(TokenApproval, 'approvals');
  const [made, setMade] = useState<TokenApproval | undefined>(undefined);
  const { isComplete, of, tried, forget } = useProblems(values, judgeApproval(values));
  useEffect(() => {
    if (pool !== '') set('pool')(pool);
  }, [pool, set]);
  const done = (approval: TokenApproval) => {
    setMade(approval);
    reset();
    forget();
    set('pool')(values.pool);
  };
  if (made?.tx?.id !== undefined)
    return <ActionResult transaction={made.tx.id} again="Approve another" onAgain={() => setMade(undefined)} />;
  return (
    <ActionForm
      action={isComplete ? approvalAction(values) : undefined}
      run={run}
      submit={values.approved === 'no' ? 'Revoke' : 'Approve'}
      onDone={done}
      onTried={tried}
    >
      <PoolField value={values.pool} onChange={set('pool')} error={of('pool')} />
      <HolderField
        label="Operator"
        value={values.operator}
        onChange={set('operator')}
        error={of('operator')}
        hint="An approved operator may transfer all your tokens, with most contracts those of all pools."
      />
      <ChoiceField
        label="Action"
        value={values.approved}
        onChange={set('approved')}
        options={[
          ['yes', 'approve'],
          ['no', 'revoke'],
        ]}
      />
      <AttachedFields values={values} set={set} problemOf={of} />
      <More>
        <SigningFields values={values} set={set} />
      </More>
    </ActionForm>
  );
}
