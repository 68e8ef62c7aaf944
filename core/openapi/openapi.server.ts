import * as z from 'zod/mini'
import { pathParams, type Endpoint } from '../endpoint/define.ts'
import { handle, type Served } from '../endpoint/serve.server.ts'
import type { AnyField } from '../field/any-field.ts'
import { screenOf } from '../grant/grant.ts'
import type { Resource } from '../resource/define.ts'
import { writableKeys } from '../resource/rules.ts'
import { openApi, type ApiDescription, type Operation, type Parameter, type Schema } from './description.ts'

/** What a schema says of values, as far as JSON Schema can; checks that are code are left out. */
function describe(schema: z.ZodMiniType): Schema {
  const { $schema: _version, ...described } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema
  return described
}

/** What is sent for a field. */
function describeField(field: AnyField): Schema {
  const described = describe(field.schema as z.ZodMiniType)
  const choices = 'choices' in field ? field.choices : 'off' in field ? [{ value: 1, label: field.on }, { value: 0, label: field.off }] : undefined
  const values = choices?.map(({ value }) => value)
  const words = choices?.map(({ value, label }) => `${value} ${label}`).join('，')
  const whole = values && (described['type'] === 'array' ? { ...described, items: { enum: values } } : { ...described, enum: values })
  return { title: field.label, ...(whole ?? described), ...((words ?? field.help) && { description: [field.help, words].filter(Boolean).join('。') }) }
}

/** What is sent for a record: a new one, or a change of one, of which what is absent stays. */
function describeRecord(resource: Resource, creates: boolean): Schema {
  const keys = writableKeys(resource).filter((key) => creates || !resource.fields[key]?.createOnly)
  const required = creates ? keys.filter((key) => resource.fields[key]?.required && resource.fields[key]?.initial === undefined) : []
  const properties = Object.fromEntries(keys.flatMap((key) => { const field = resource.fields[key]; return field ? [[key, describeField(field)]] : [] }))
  return { type: 'object', properties: { ...properties, ...(!creates && { rev: { type: 'integer', description: '读取时的版本，用于发现他人的修改' } }) }, ...(required.length > 0 && { required }) }
}

/** By what a list is narrowed, sorted and cut into pages. */
function describeQuery(resource: Resource): Schema {
  const filters = resource.list.filters.map((key) => [key, { title: resource.fields[key]?.label ?? key, type: 'string' }])
  const page = { page: { type: 'integer', description: '从 0 开始' }, size: { type: 'integer' }, keyword: { type: 'string' }, sort: { type: 'string', description: '列名，倒序时前加 -；多列用逗号隔开' }, any: { type: 'string', description: '满足任一组的条件，JSON 数组，每项是一组筛选条件' } }
  return { type: 'object', properties: { ...Object.fromEntries(filters), ...page } }
}

/** Inputs of the calls that follow from definitions, by method and path: their own schemas take any object, the handler checks the fields. */
function inputsOf(resources: readonly Resource[]): ReadonlyMap<string, Schema> {
  return new Map(resources.flatMap((resource) => [
    [`GET ${resource.api.list}`, describeQuery(resource)],
    [`POST ${resource.api.item}`, describeRecord(resource, true)],
    [`PUT ${resource.api.item}/{id}`, describeRecord(resource, false)],
  ] as const))
}

/** Who may make a call, as OpenAPI and a sentence have it. */
function describeGrant({ grant, app }: Endpoint, titles: (id: number) => string): Pick<Operation, 'security' | 'description'> {
  if (grant === 'public') return { security: [] }
  if (grant === 'device') return { security: [{ key: [] }], ...(app && { description: `需要应用权限：${app.label}` }) }
  return { security: [{ session: [] }], ...(grant !== 'staff' && { description: `需要权限（任一）：${grant.map((id) => `${[...new Set([screenOf(id), id])].map(titles).join(' · ')}（${id}）`).join('、')}` }) }
}

/** The screen that a call belongs to; calls of no screen are named by who makes them. */
function tagOf({ grant }: Endpoint, titles: (id: number) => string): string {
  if (grant === 'public') return '无需登录'
  if (grant === 'device') return '学习端'
  if (grant === 'staff') return '全体员工'
  return titles(screenOf(grant[0] ?? 0))
}

const asParameters = (input: Schema): Parameter[] => Object.entries(input.properties ?? {})
  .map(([name, schema]) => ({ name, in: 'query', required: input.required?.includes(name) ?? false, schema }))

function describeCall(endpoint: Endpoint, generated: ReadonlyMap<string, Schema>, titles: (id: number) => string): Operation {
  const { method, path, summary, input, upload } = endpoint
  const described = generated.get(`${method} ${path}`) ?? (input && describe(input as z.ZodMiniType))
  const inQuery = method === 'GET' || method === 'DELETE'
  const type = upload ? 'multipart/form-data' : 'application/json'
  const body = upload ? { type: 'object', properties: { file: { type: 'string', format: 'binary' } } } : described
  return {
    summary,
    tags: [tagOf(endpoint, titles)],
    ...describeGrant(endpoint, titles),
    parameters: [
      ...pathParams(path).map((name): Parameter => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      ...(described && inQuery ? asParameters(described) : []),
      ...(method === 'GET' ? [] : [{ name: 'Idempotency-Key', in: 'header' as const, required: endpoint.app !== undefined, schema: { type: 'string', maxLength: 100 }, description: '重试时使用同一个值，不会重复写入' }]),
    ],
    ...(body && !inQuery && { requestBody: { content: { [type]: { schema: body } } } }),
    responses: { 200: { description: '成功' }, default: { description: '失败：detail 是一句说明，fields 按字段给出', content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } } } },
  }
}

/** Describes calls as one document. */
export function describeCalls(endpoints: readonly Endpoint[], resources: readonly Resource[], titles: (id: number) => string): ApiDescription {
  const generated = inputsOf(resources)
  const paths: Record<string, Record<string, Operation>> = {}
  for (const endpoint of endpoints) (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = describeCall(endpoint, generated, titles)
  return {
    openapi: '3.1.1', info: { title: '道远后台', version: '1' }, paths,
    components: {
      schemas: { Failure: { type: 'object', required: ['detail'], properties: { detail: { type: 'string' }, fields: { type: 'object', additionalProperties: { type: 'string' } } } } },
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'session' }, key: { type: 'http', scheme: 'bearer' } },
    },
  }
}

/** The call that answers the description, made once: definitions do not change while the product runs. */
export function openApiCall(endpoints: () => readonly Endpoint[], resources: () => readonly Resource[], titles: (id: number) => string): Served {
  let made: ApiDescription | undefined
  return handle(openApi, async () => (made ??= describeCalls(endpoints(), resources(), titles)))
}
