import { defineEndpoint } from '../endpoint/define.ts'

/** A piece of JSON Schema, as far as the description of the API uses it (https://json-schema.org/draft/2020-12). */
export interface Schema {
  readonly [keyword: string]: unknown
  readonly type?: string
  readonly title?: string
  readonly description?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: Schema
}

/** One call. */
export interface Operation {
  readonly summary: string
  /** Who may make it, in words; absent where everybody with a login, or anybody, may. */
  readonly description?: string
  /** The screen that it belongs to, or the kind of caller. */
  readonly tags: readonly string[]
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<Record<string, unknown>>
}

/** The description of every call: OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.1), of which this names what we use. */
export interface ApiDescription {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string }
  /** By path, then by method in small letters. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Readonly<Record<string, unknown>>
}

export const openApi = defineEndpoint<ApiDescription>()({ method: 'GET', path: '/daoyuan/api/openapi.json', summary: '接口说明（OpenAPI）', grant: 'staff' })
