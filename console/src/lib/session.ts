import { useServer } from './server';
import { useApiKey } from './key';

const named = document.querySelector('meta[name="sign-in"]')?.getAttribute('content') ?? '';

/** The provider with which people sign in at this server; undefined where there is none. */
export const provider: string | undefined = named && named !== '__SIGN_IN__' ? named : undefined;

/** Where one signs in, to come back to this page. */
export function signInAddress(): string {
  return `/sign-in?to=${encodeURIComponent(location.pathname + withoutFailure(location.search))}`;
}

/** Why signing in did not work, if it has just been tried. */
export function failure(search: string): string | null {
  return new URLSearchParams(search).get('sign_in');
}

/** The query of an address without what signing in has added. */
export function withoutFailure(search: string): string {
  const query = new URLSearchParams(search);
  query.delete('sign_in');
  const rest = query.toString();
  return rest ? `?${rest}` : '';
}

/** Whether the cookie of a session lets this page in, and no key. */
export function useSignedIn(): boolean {
  const { key } = useApiKey();
  const { data } = useServer();
  return provider !== undefined && !key && data !== undefined;
}

/** Ends the session here, and then where the provider has its own. */
export async function signOut(): Promise<void> {
  const answer = await fetch('/sign-out', { method: 'POST' });
  if (!answer.ok) throw new Error(String(answer.status));
  location.assign('/sign-out');
}
