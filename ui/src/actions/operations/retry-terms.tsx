/** The consequences of trying an operation again. */
export function RetryTerms() {
  return (
    <p>
      A new operation does the same work, with the same input. A message that was cancelled with the failed one waits
      for the new one.
    </p>
  );
}
