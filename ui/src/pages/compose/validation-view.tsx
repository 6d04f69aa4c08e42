import { Tone } from '../../components/record/state.js';
import { Text } from '../../components/text/text.js';
import styles from './compose.module.css';
import type { ValidationState } from './validation.js';

const maxShown = 20;

/** Shows whether a value conforms to its datatype, and the errors. */
export function ValidationView({ state }: { readonly state: ValidationState }) {
  if (state.kind === 'none') return null;
  if (state.kind === 'loading') return <p className="muted">Checking…</p>;
  if (state.kind === 'error') {
    const { error } = state;
    return (
      <p className="muted" role="status">
        The value could not be checked: <Text value={error instanceof Error ? error.message : String(error)} />
      </p>
    );
  }
  const { valid, errors } = state.validation;
  return (
    <div role="status" className={styles.verdict}>
      {valid ? (
        <Tone tone="confirmed" icon="check" word="conforms" />
      ) : (
        <Tone tone="rejected" icon="cross" word="does not conform" />
      )}
      {errors.length > 0 && (
        <ul>
          {errors.slice(0, maxShown).map(({ path, message }, index) => (
            <li key={index}>
              <code>
                <Text value={path === '' ? '/' : path} />
              </code>{' '}
              <Text value={message} />
            </li>
          ))}
        </ul>
      )}
      {errors.length > maxShown && <p className="muted">and {errors.length - maxShown} more</p>}
    </div>
  );
}
