import { create } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import {
  type RegistrationRequest,
  RegistrationRequestSchema,
  RegistrationResponseSchema,
} from "../../../proto/gen/account/v1/registration_pb.ts";
import { anonymousHeader, sessionHeader } from "../../platform/connect/identity.ts";
import { type BadField, badField, permissionDenied, refuseFields, unavailable } from "../../platform/errors.ts";
import { retryConflicts } from "../../platform/postgres/failures.ts";
import { type Db, transaction } from "../../platform/postgres/pool.ts";
import { inFieldOrder } from "../../platform/rules/request-rules.ts";
import type { AccountContext } from "../context.ts";
import { derivedNames, parseRegistration, type RegistrationForm, unlessBlank } from "../domain/registration-form.ts";
import { sessionIdHash as invitationHash, newSessionId, sessionIdHash } from "../domain/session-id.ts";
import type { Added } from "../registrations.ts";
import { isUsable, useInvitation } from "../store/invitations.ts";
import { insertRegistered } from "../store/registrations.ts";

/** Creates an account with its session, then its profile: at once if the social service answers, else by the outbox. */
export async function registration(ctx: AccountContext, request: RegistrationRequest, call: HandlerContext) {
  await ctx.limits.registration(call.requestHeader, [unlessBlank(request.userName), unlessBlank(request.email)]);
  const { form, bad } = parseRegistration(request, ctx.config);
  const signUp = signUpOf(ctx, call.requestHeader);
  const isOpen = await signUp.isOpen();
  // Only callers who may register learn which names are taken.
  const faults = [...bad, ...(isOpen ? await takenFields(ctx, form, bad) : [])];
  refuseFields(inFieldOrder(RegistrationRequestSchema, faults));
  if (!isOpen) throw signUp.refusal();

  const session = newSession(ctx, form, call);
  const make = async () => {
    // A caller who has disconnected gets no turn: the account would take the name, and its user would not know.
    const passwordHash = await ctx.passwords.inTurn(call.signal, ({ hash }) => hash(form.password));
    return createAccount(ctx, { form, passwordHash, session, signUp });
  };
  const { account, profile } = await ctx.pendingNames.hold(namesOf(form), () => refuseTaken(ctx, form), make);
  await profile;
  if (session.signedIn) call.responseHeader.set(sessionHeader, `${session.id}; max-age=${session.maxAge}`);
  const { userId, userName } = account;
  // An empty responseStatus says that all went well.
  return create(RegistrationResponseSchema, {
    userId,
    sessionId: session.id,
    userName,
    referrerUrl: form.continue,
    responseStatus: {},
  });
}

/** Whether the setting SIGN_UP allows one registration. */
interface SignUp {
  isOpen(): Promise<boolean>;
  /**
   * To be called in the transaction that adds the account. Counts the use of an invitation, also when many present it at once.
   * Undefined where no invitation is needed.
   * @throws PermissionDenied when it is used up by now
   */
  use?(db: Db): Promise<void>;
  /** PermissionDenied, with the reason. */
  refusal(): Error;
}

/**
 * How a registration may be made. An invitation is in the header `x-invitation`, since the interface's request has no field for
 * one (docs/decisions/filled-by-the-gateway.md). Unless SIGN_UP is `invite` it is ignored and not used up.
 */
function signUpOf({ config: { signUp }, pool }: AccountContext, header: Headers): SignUp {
  if (signUp !== "invite") {
    const refusal = () => permissionDenied("Registration is closed here.");
    return { isOpen: async () => signUp === "open", refusal };
  }
  const codeHash = invitationHash(header.get("x-invitation") ?? "");
  const refusal = () => permissionDenied("Registration needs a valid invitation.");
  return {
    isOpen: () => isUsable(pool, codeHash),
    async use(db) {
      if (!(await useInvitation(db, codeHash))) throw refusal();
    },
    refusal,
  };
}

interface Session {
  id: string;
  signedIn: boolean;
  maxAge: number;
}

// Under JSONP the gateway calls anonymously: such a session stays signed out (contract §4.4).
function newSession(ctx: AccountContext, form: RegistrationForm, call: HandlerContext): Session {
  const signedIn = form.autoLogin && !call.requestHeader.has(anonymousHeader);
  return { id: newSessionId(), signedIn, maxAge: signedIn ? ctx.config.session.maxAge : 3_600 };
}

/** The names that are taken, one entry per field, without fields that are bad for another reason. */
async function takenFields(ctx: AccountContext, form: RegistrationForm, bad: readonly BadField[]) {
  const isBad = bad.some(({ fieldName }) => fieldName === "userName");
  const { emailKey } = form;
  const taken = await ctx.registrations.listTaken({ userName: isBad ? undefined : form.userName, emailKey });
  return [
    ...(taken.userName ? [badField("userName", "AlreadyExists", "UserName already exists")] : []),
    ...(taken.email ? [badField("email", "AlreadyExists", "Email already exists")] : []),
  ];
}

/** @throws AlreadyExists naming the names that are taken */
async function refuseTaken(ctx: AccountContext, form: RegistrationForm): Promise<void> {
  const taken = await takenFields(ctx, form, []);
  refuseFields(taken);
}

/** The values of a form that only one account can have. No user name has a blank. */
function namesOf({ userName, emailKey }: RegistrationForm): string[] {
  return [
    ...(userName === undefined ? [] : [userName.toLowerCase()]),
    ...(emailKey === undefined ? [] : [`email ${emailKey}`]),
  ];
}

/** The fields of a new account. */
interface NewAccount {
  form: RegistrationForm;
  passwordHash: string;
  session: Session;
  signUp: SignUp;
}

async function createAccount(ctx: AccountContext, made: NewAccount): Promise<Added> {
  const { form } = made;
  // The name of an account that is about to go can be taken at the insert and free when it is looked up: then it is tried again.
  const names =
    form.userName === undefined
      ? derivedNames(form, ctx.config.reservedNames)
      : [form.userName, form.userName, form.userName];
  for (const userName of names) {
    const added = await addAccount(ctx, userName, made);
    if (added !== undefined) return added;
    await refuseTaken(ctx, form);
  }
  // Each name was taken, a random one by a full system, or two ids collided. Trying again helps.
  throw unavailable();
}

async function addAccount(
  ctx: AccountContext,
  userName: string,
  { form, passwordHash, session, signUp: { use } }: NewAccount,
): Promise<Added | undefined> {
  const registered = {
    account: { ...form, userName, displayName: form.displayName || userName, passwordHash },
    session: { ...session, idHash: sessionIdHash(session.id) },
  };
  if (use === undefined) return ctx.registrations.add(registered);
  const addAndUse = async (db: Db) => {
    const [added] = await insertRegistered(db, [registered]);
    if (added !== undefined) await use(db);
    return added;
  };
  const account = await retryConflicts(() => transaction(ctx.pool, addAndUse));
  return account && { account, profile: ctx.registrations.makeProfiles([account]) };
}
