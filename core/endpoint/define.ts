import type * as z from 'zod/mini'
import type { AppScope } from './app-scope.ts'
import type { Grant } from '../grant/grant.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** How a call that means several records is taken back. */
export type ManyBack = 'undo' | 'reads' | { readonly instead: string }

/** Only what answers with the number, or with the job that will know it, is taken back by it. */
type BackOf<Output> = Exclude<ManyBack, 'undo'> | ('undo' extends keyof Output ? 'undo' : 'job' extends keyof Output ? 'undo' : never)

/** Whether an input weighs so much that a person who sends it proves first who they are. */
type Weighs<Input> = { weighs(input: Input): boolean }['weighs']

/**
 * One call of the API, declared once for both sides.
 * `Input` is the query of a GET or DELETE and the body of a POST or PUT.
 */
export interface Endpoint<Input = unknown, Output = unknown> {
  readonly method: Method
  /** Path from the site's root, parameters in braces: `/daoyuan/api/lessons/{id}`. */
  readonly path: string
  /** What the call does, for the API's documentation. */
  readonly summary: string
  readonly grant: Grant
  readonly input?: z.ZodMiniType<Input>
  /**
   * Asks for a fresh proof of who is there, always or for some inputs; the console asks, and makes the call again. What
   * only the handler can know it asks for by `call.requireFresh`.
   */
  readonly fresh?: true | Weighs<Input>
  /** A `device` call of learners' apps: asks for the key of one that was given this. What writes comes with an idempotency key. */
  readonly app?: AppScope
  /** Anyone may call it as often as they like: machines do, and nothing is written. */
  readonly unlimited?: true
  /** Takes a file as multipart/form-data; the handler reads it. */
  readonly upload?: true
  /** Holds the connection open or answers something else than JSON. */
  readonly stream?: true
  /** Answers with something that is shown once and kept nowhere: a password, a token. */
  readonly secret?: true
  /**
   * How what it does to several records at once is taken back (ADR 84): by its number in 任务中心, or by what is done instead.
   * `reads`: it changes no record.
   */
  readonly back?: ManyBack
  /** Type of the answer; there is no value here. */
  readonly output?: (value: Output) => void
}

/**
 * Declares a call.
 * @example export const login = defineEndpoint<Staff>()({ method: 'POST', path: '/daoyuan/api/end_access_token', … })
 */
export function defineEndpoint<Output>(): <Input = undefined>(
  endpoint: Omit<Endpoint<Input, Output>, 'output' | 'back'> & { readonly back?: BackOf<Output> },
) => Endpoint<Input, Output> {
  return (endpoint) => endpoint
}

/** Names of the parameters in a path. */
export function pathParams(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
}

/** Puts parameters into a path. */
export function fillPath(path: string, params: Readonly<Record<string, string | number>>): string {
  return path.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(String(params[name] ?? '')))
}
