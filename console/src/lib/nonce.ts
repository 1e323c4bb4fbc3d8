/** The nonce with which the service lets this page add styles; none under `npm run dev`. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

// Where libraries that add style elements look for it (get-nonce, of react-remove-scroll).
Object.assign(globalThis, { __webpack_nonce__: nonce });
