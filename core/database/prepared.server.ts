import { messages, protocol, type PGlite } from '@electric-sql/pglite'

const { serialize } = protocol

/** A statement that the engine has read and planned. */
interface Prepared {
  name: string
  encode: ((value: unknown) => string | null)[]
  columns: { name: string; decode: (text: string) => unknown }[]
}

/** Statements that are kept; more of them are a sign that texts hold values, and each takes memory of the engine. */
const MOST = 500
const EXECUTE = serialize.execute({})
const SYNC = serialize.sync()
const asText = (value: unknown): unknown => value

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/**
 * Talks to the embedded engine as drivers talk to a server: a statement is read and planned once, and then takes one
 * message. The engine's own `query` reads it again each time, in six messages. The caller sees to it that one transaction
 * follows the other.
 */
export class PreparedStatements {
  private readonly engine: PGlite
  private readonly known = new Map<string, Promise<Prepared>>()
  private count = 0

  constructor(engine: PGlite) {
    this.engine = engine
  }

  /** Runs one statement and returns its rows. */
  async query<Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]> {
    const { name, encode, columns } = await this.prepared(text)
    const encoded = encode.map((one, place) => {
      const value = values[place]
      return value === null || value === undefined ? null : one(value)
    })
    const answer = await this.send([serialize.bind({ statement: name, values: encoded }), EXECUTE, SYNC])
    const rows: Row[] = []
    for (const message of answer) {
      if (!(message instanceof messages.DataRowMessage)) continue
      const row: Record<string, unknown> = {}
      for (let place = 0; place < columns.length; place++) {
        const column = columns[place]
        const field = message.fields[place]
        if (column) row[column.name] = field === null || field === undefined ? null : column.decode(field)
      }
      rows.push(row as Row)
    }
    return rows
  }

  /** Runs SQL text without parameters, several statements allowed. @returns what the last of them was, such as `COMMIT` */
  async simple(text: string): Promise<string> {
    const answer = await this.send([serialize.query(text)])
    const last = answer.findLast((message) => message instanceof messages.CommandCompleteMessage)
    return last?.text ?? ''
  }

  /** Forgets all statements: tables may have changed, or there are too many. Not within a transaction. */
  async forget(): Promise<void> {
    this.known.clear()
    await this.simple('deallocate all')
  }

  /** Forgets them when there are too many. */
  async tidy(): Promise<void> {
    if (this.known.size > MOST) await this.forget()
  }

  private prepared(text: string): Promise<Prepared> {
    let statement = this.known.get(text)
    if (!statement) {
      statement = this.prepare(text, `s${++this.count}`)
      this.known.set(text, statement)
      statement.catch(() => this.known.delete(text))
    }
    return statement
  }

  private async prepare(text: string, name: string): Promise<Prepared> {
    const { queryParams, resultFields } = await this.engine.describeQuery(text)
    await this.send([serialize.parse({ name, text }), SYNC])
    return {
      name,
      encode: queryParams.map(({ serializer }) => serializer ?? String),
      columns: resultFields.map((field) => ({ name: field.name, decode: field.parser ? (value: string) => field.parser(value, field.dataTypeID) : asText })),
    }
  }

  private send(parts: readonly Uint8Array[]) {
    return this.engine.runExclusive(() => this.engine.execProtocolStream(joined(parts), { syncToFs: false }))
  }
}
