import { Component, type ReactNode } from 'react';
import { Failure } from './Failure';

/** Keeps the frame when a page breaks, and says what broke. */
export class PageBoundary extends Component<{ children: ReactNode }, { error?: Error }> {
  override state: { error?: Error } = {};

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    if (!this.state.error) return this.props.children;
    return <Failure error={this.state.error} retry={() => this.setState({ error: undefined })} />;
  }
}
