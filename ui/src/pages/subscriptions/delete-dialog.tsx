import { Type } from '@sinclair/typebox';
import type { Subscription } from '../../../../src/wire/events/subscription.js';
import { ActionDialog, ActionForm } from '../../actions/action-form.js';
import { useAction } from '../../actions/use-action.js';
import { useExplorer } from '../../api/explorer.js';
import { Text } from '../../components/text/text.js';
import { deleteAction } from './request.js';

interface Props {
  readonly subscription: Subscription;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function DeleteDialog({ subscription, isOpen, onClose }: Props) {
  const { places } = useExplorer();
  const run = useAction(Type.Unknown(), 'subscriptions');
  return (
    <ActionDialog title="Delete the subscription?" isOpen={isOpen} onClose={onClose}>
      <ActionForm
        action={deleteAction(subscription)}
        run={run}
        submit="Delete"
        onDone={() => {
          onClose();
          places.go({ page: 'subscriptions', id: undefined, open: undefined });
        }}
      >
        <p>
          <Text value={subscription.name} /> loses its position. Connected clients are disconnected.
        </p>
      </ActionForm>
    </ActionDialog>
  );
}
