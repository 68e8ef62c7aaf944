import { afterAll, describe, expect, it } from 'vitest'
import { collect, fixtureFolder } from './fixture.server.ts'
import { readSheet } from './read.server.ts'

const folder = fixtureFolder()
afterAll(() => folder.remove())

async function read(bytes: Uint8Array | string) {
  return collect(readSheet(folder.write('a.csv', Buffer.from(bytes))))
}

/** Characters by their GBK code, made the other way round from all two-byte codes. */
function gbk(text: string): Buffer {
  const codes = new Map<string, number[]>()
  const decoder = new TextDecoder('gbk')
  for (let high = 0x81; high < 0xff; high++) for (let low = 0x40; low < 0xff; low++) codes.set(decoder.decode(Uint8Array.of(high, low)), [high, low])
  return Buffer.from([...text].flatMap((character) => (character < '\u0080' ? [character.charCodeAt(0)] : codes.get(character) ?? [])))
}

describe('readSheet of a csv file', () => {
  const expected = [{ rowNumber: 1, cells: ['姓名', '手机号'] }, { rowNumber: 3, cells: ['张三', '013800138000'] }]
  const text = '姓名,手机号\r\n,\r\n张三,013800138000\r\n'

  it('reads UTF-8 with and without byte order mark', async () => {
    expect(await read(text)).toEqual(expected)
    expect(await read(`\uFEFF${text}`)).toEqual(expected)
  })

  it('reads GBK, handwritten byte for byte', async () => {
    const bytes = Buffer.from('d0d5c3fb2ccad6bbfabac50d0a2c0d0ad5c5c8fd2c3031333830303133383030300d0a', 'hex')
    expect(await read(bytes)).toEqual(expected)
  })

  it('reads the four-byte characters of GB18030', async () => {
    expect(await read(Buffer.concat([gbk('姓名\n'), Buffer.from([0x95, 0x32, 0x82, 0x36])]))).toEqual([{ rowNumber: 1, cells: ['姓名'] }, { rowNumber: 2, cells: ['𠀀'] }])
  })

  it('reads GBK that shows only behind long ASCII and across chunks', async () => {
    const lines = Array.from({ length: 30_000 }, (_, index) => (index < 10_000 ? `${index},ascii` : `${index},张三的备注`))
    const rows = await read(gbk(lines.join('\n')))
    expect(rows).toHaveLength(30_000)
    expect(rows.slice(10_000).every((row) => row.cells[1] === '张三的备注')).toBe(true)
  })

  it('reads UTF-16 as Excel saves Unicode text', async () => {
    const bytes = Buffer.from(`\uFEFF${text.replaceAll(',', '\t')}`, 'utf16le')
    expect(await read(bytes)).toEqual(expected)
    expect(await read(bytes.swap16())).toEqual(expected)
  })

  it('reads semicolons, quotes, line breaks in fields and uneven rows', async () => {
    expect(await read('报名表\n姓名;备注\n"张;三";"他说""好""\n再见"\n李四\n5" 屏;x;y')).toEqual([
      { rowNumber: 1, cells: ['报名表'] },
      { rowNumber: 2, cells: ['姓名', '备注'] },
      { rowNumber: 3, cells: ['张;三', '他说"好"\n再见'] },
      { rowNumber: 4, cells: ['李四'] },
      { rowNumber: 5, cells: ['5" 屏', 'x', 'y'] },
    ])
  })

  it('keeps digits as text', async () => {
    expect((await read('00123,="00456",440301199001011234,1e5'))[0]?.cells).toEqual(['00123', '00456', '440301199001011234', '1e5'])
  })

  it('says where a quote is missing', async () => {
    await expect(read('姓名,备注\n张三,"没有\n李四,x\n')).rejects.toThrow('文件第 2 行附近的引号不成对，请检查后重新上传')
  })

  it('stops when told to', async () => {
    const file = folder.write('b.csv', Buffer.from('1,2\n'.repeat(100_000)))
    const stop = new AbortController()
    let last = 0
    await expect((async () => {
      for await (const { rowNumber } of readSheet(file, { signal: stop.signal })) {
        last = rowNumber
        if (rowNumber === 10) stop.abort(new Error('够了'))
      }
    })()).rejects.toThrow('够了')
    expect(last).toBe(10)
  })
})
