import { Tone } from '../../components/record/state.js';
import { Text } from '../../components/text/text.js';
import styles from './compose.module.css';
import type { Verdict } from './validation.js';

const maxShown = 20;

/** Whether a value conforms to its datatype, and what is wrong with it. */
export function VerdictView({ verdict }: { readonly verdict: Verdict }) {
  if (verdict.kind === 'none') return null;
  if (verdict.kind === 'asking') return <p className="muted">Checking…</p>;
  if (verdict.kind === 'error') {
    const { error } = verdict;
    return (
      <p className="muted" role="status">
        It could not be checked: <Text value={error instanceof Error ? error.message : String(error)} />
      </p>
    );
  }
  const { valid, errors } = verdict.validation;
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
