import { useSyncExternalStore } from 'react';

const name = 'superstep.key';
const listeners = new Set<() => void>();
let key: string | null = sessionStorage.getItem(name);
let asked = false;

function changed() {
  listeners.forEach((listener) => listener());
}

/** The API key of this tab: kept in the session's storage only, gone when the tab is closed. */
export const apiKey = {
  get: () => key,
  set(value: string | null) {
    key = value;
    asked = false;
    if (value) sessionStorage.setItem(name, value);
    else sessionStorage.removeItem(name);
    changed();
  },
  /** The service has refused a call for want of a key: the dialog opens. */
  ask() {
    if (asked) return;
    asked = true;
    changed();
  },
  dismiss() {
    asked = false;
    changed();
  },
  asked: () => asked,
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/** Whether a key is asked for, and the key. */
export function useApiKey(): { key: string | null; asked: boolean } {
  return {
    key: useSyncExternalStore(apiKey.subscribe, apiKey.get),
    asked: useSyncExternalStore(apiKey.subscribe, apiKey.asked),
  };
}
