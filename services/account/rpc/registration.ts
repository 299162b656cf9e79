import type { HandlerContext } from "@connectrpc/connect";
import { type RegistrationRequest, RegistrationRequestSchema } from "../../../proto/gen/account/v1/registration_pb.ts";
import { type BadField, badField, invalidFields, unavailable } from "../../platform/errors.ts";
import { type Db, transaction } from "../../platform/postgres/pool.ts";
import { inFieldOrder } from "../../platform/rules/request-rules.ts";
import type { AccountContext } from "../context.ts";
import { filled } from "../domain/blank.ts";
import { derivedNames } from "../domain/derived-name.ts";
import { parseRegistration, type RegistrationForm } from "../domain/registration-form.ts";
import { newSessionId, sessionIdHash } from "../domain/session-id.ts";
import { createProfile, createProfileJob, createProfileKey, payloadOf } from "../jobs/create-profile.ts";
import { type Account, insertRegistered } from "../store/insert-registered.ts";
import { listTaken } from "../store/list-taken.ts";
import { registrationResponse } from "../views/registration-response.ts";
import { type SignUp, signUpOf } from "./sign-up.ts";

/** Creates an account with its session, then its profile: at once if the social service answers, else by the outbox. */
export async function registration(ctx: AccountContext, request: RegistrationRequest, call: HandlerContext) {
  await ctx.limits.registration(call.requestHeader, [filled(request.userName), filled(request.email)]);
  const { form, bad } = parseRegistration(request, ctx.config);
  const signUp = signUpOf(ctx, call.requestHeader);
  const isOpen = await signUp.isOpen();
  // Which names are taken is told only to those who may register.
  const faults = [...bad, ...(isOpen ? await takenFields(ctx, form, bad) : [])];
  if (faults.length > 0) throw invalidFields(inFieldOrder(RegistrationRequestSchema, faults));
  if (!isOpen) throw signUp.refusal();

  const session = newSession(ctx, form, call);
  // The check, the hash and the insert share one turn: of many users who ask for one name at once only the first few cost a hash.
  // A caller who has disconnected gets no turn: the account would take the name, and its user would not know.
  const account = await ctx.passwords.inTurn(call.signal, async ({ hash }) => {
    const taken = await takenFields(ctx, form, []);
    if (taken.length > 0) throw invalidFields(taken);
    return createAccount(ctx, { form, passwordHash: await hash(form.password), session, signUp });
  });

  await createProfileNow(ctx, account);
  if (session.signedIn) call.responseHeader.set("roost-session", `${session.id}; max-age=${session.maxAge}`);
  return registrationResponse(account, session.id, form.continue);
}

interface Session {
  id: string;
  signedIn: boolean;
  maxAge: number;
}

// Under JSONP the gateway calls anonymously: such a session stays signed out (contract §4.4).
function newSession(ctx: AccountContext, form: RegistrationForm, call: HandlerContext): Session {
  const signedIn = form.autoLogin && !call.requestHeader.has("roost-anonymous");
  return { id: newSessionId(), signedIn, maxAge: signedIn ? ctx.config.session.maxAge : 3_600 };
}

/** The names that are taken, one entry per field, without fields that are bad for another reason. */
async function takenFields(ctx: AccountContext, form: RegistrationForm, bad: readonly BadField[]) {
  const isBad = bad.some(({ fieldName }) => fieldName === "userName");
  const taken = await listTaken(ctx.pool, isBad ? undefined : form.userName, form.emailKey);
  return [
    ...(taken.userName ? [badField("userName", "AlreadyExists", "UserName already exists")] : []),
    ...(taken.email ? [badField("email", "AlreadyExists", "Email already exists")] : []),
  ];
}

/** What an account is made of. */
interface NewAccount {
  form: RegistrationForm;
  passwordHash: string;
  session: Session;
  signUp: SignUp;
}

async function createAccount(ctx: AccountContext, made: NewAccount) {
  const { form } = made;
  const names = form.userName === undefined ? derivedNames(form) : [form.userName];
  for (const userName of names) {
    const account = await storeAccount(ctx, userName, made);
    if (account !== undefined) return account;
    const taken = await takenFields(ctx, form, []);
    if (taken.length > 0) throw invalidFields(taken);
  }
  // Eight random names in a row were taken: a full system, or two ids that collided. Trying again helps.
  throw unavailable();
}

async function storeAccount(
  ctx: AccountContext,
  userName: string,
  { form, passwordHash, session, signUp }: NewAccount,
): Promise<Account | undefined> {
  const account = { ...form, userName, displayName: form.displayName || userName, passwordHash };
  const opened = { ...session, idHash: sessionIdHash(session.id) };
  const store = (db: Db) => insertRegistered(db, account, opened, owedProfile);
  if (signUp.use === undefined) return store(ctx.pool);
  return transaction(ctx.pool, async (db) => {
    const stored = await store(db);
    if (stored !== undefined) await signUp.use?.(db);
    return stored;
  });
}

const owedProfile = { task: createProfileJob, keyPrefix: createProfileKey("") };

/** A failure here does not undo the account: the outbox repeats what fails. */
async function createProfileNow(ctx: AccountContext, account: Account): Promise<void> {
  try {
    await createProfile(ctx, payloadOf(account));
    ctx.madeProfiles.add(account.userId);
  } catch (error) {
    ctx.log.warn({ err: error, userId: account.userId.toString() }, "the profile follows by the outbox");
  }
}
