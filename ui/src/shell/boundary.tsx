import { Component, type ReactNode } from 'react';
import { Failure } from '../components/page/failure.js';

interface Props {
  readonly children: ReactNode;
}

/** Keeps a defect of one page to that page: the rest goes on working. */
export class Boundary extends Component<Props, { readonly error: unknown }> {
  override state = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <Failure error={error} onRetry={() => this.setState({ error: undefined })} />;
  }
}
