import { Component, type ReactNode } from 'react';
import { Failure } from '../components/page/failure.js';
import { CodeNotFetchedError } from '../components/page/on-demand.js';

interface Props {
  readonly children: ReactNode;
}

/** Limits an error to one part of the page; the rest keeps working. */
export class Boundary extends Component<Props, { readonly error: unknown }> {
  override state = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <Failure error={error} onRetry={() => this.#tryAgain(error)} />;
  }

  #tryAgain(error: unknown): void {
    if (error instanceof CodeNotFetchedError) void reloadIfReachable();
    else this.setState({ error: undefined });
  }
}

/** Reloads the document if the node answers. Otherwise the browser's error page would replace the explorer. */
async function reloadIfReachable(): Promise<void> {
  const isReachable = await fetch(window.location.href).then(
    () => true,
    () => false,
  );
  if (isReachable) window.location.reload();
}
