import { Alert } from '@mantine/core';
import { useLocation, useNavigate } from 'react-router';
import { failure, provider, useSignedIn, withoutFailure } from '../lib/session';
import { texts } from '../texts';

/** Says why signing in did not work, in words of this page: what stands in an address anybody can write. */
export function SignInFailure() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const signedIn = useSignedIn();
  const reason = failure(search);
  if (!reason || !provider || signedIn) return null;
  const { reasons, otherwise } = texts.signIn;
  return (
    <Alert
      color="red"
      mb="md"
      title={texts.signIn.failed}
      withCloseButton
      closeButtonLabel={texts.close}
      onClose={() => void navigate(pathname + withoutFailure(search), { replace: true })}
    >
      {Object.hasOwn(reasons, reason) ? reasons[reason as keyof typeof reasons] : otherwise}
    </Alert>
  );
}
