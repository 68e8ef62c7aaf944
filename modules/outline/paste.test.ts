import { describe, expect, test } from 'vitest'
import { guessNodes, SURE } from './guess.ts'
import { kindLabel, readPasted } from './paste.ts'

const shape = (text: string, below?: number) => readPasted(text, below).nodes.map(({ name, depth, kind }) => `${'-'.repeat(depth)}${name} ${kindLabel(kind)}`)

describe('pasted text', () => {
  test('of indented lines keeps its levels, whatever they are indented by', () => {
    const expected = ['第一章 集合 章', '-1.1 集合的概念 节', '--课时 1 元素 课时', '--课时 2 表示 课时', '-1.2 关系 节']
    expect(shape('第一章 集合\n\t1.1 集合的概念\n\t\t课时 1 元素\n\t\t课时 2 表示\n\t1.2 关系')).toEqual(expected)
    expect(shape('第一章 集合\r\n  1.1 集合的概念\r\n    课时 1 元素\r\n\r\n    课时 2 表示\r\n  1.2 关系')).toEqual(expected)
    expect(shape('第一章 集合\n\u30001.1 集合的概念\n\u3000\u3000课时 1 元素\n\u3000\u3000课时 2 表示\n\u30001.2 关系')).toEqual(expected)
  })

  test('of one column of a sheet is read by what the names say of themselves', () => {
    expect(shape('第一章 集合\n1.1 集合的概念\n元素\n表示\n第二章 函数')).toEqual(['第一章 集合 章', '-1.1 集合的概念 节', '--元素 课时', '--表示 课时', '第二章 函数 章'])
  })

  test('of several columns has its level by the column', () => {
    expect(shape('第一章\t\t\n\t第一节\t\n\t\t讲一')).toEqual(['第一章 章', '-第一节 节', '--讲一 课时'])
  })

  test('says line by line what does not fit', () => {
    const { nodes, problems } = readPasted(`a\n b\n  c\n   d\n    e\n     f\nx\nx\n${'长'.repeat(81)}`)
    expect(nodes.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', 'e', 'x'])
    expect(problems).toEqual([
      { line: 6, message: '「f」在第 6 级，最多 5 级' }, { line: 8, message: '「x」在同一上级下出现两次' }, { line: 9, message: '「长长长长长长长长长长长长…」超过 80 个字' },
    ])
    expect(readPasted('a\n b', 4).problems).toEqual([{ line: 2, message: '「b」在第 6 级，最多 5 级' }])
    expect(readPasted('x\n'.repeat(12_000)).problems).toEqual([{ line: 3001, message: '一次最多粘贴 3000 行' }])
  })
})

describe('names of files', () => {
  const lessons = ['集合的概念', '集合间的关系', '集合的运算', '充分条件'].map((name, n) => ({ key: `k${n}`, name: `第 ${n + 1} 讲 ${name}`, above: ['第一章 集合'] }))
  const sure = (names: string[], nodes = lessons) => guessNodes(names, nodes).map(([first]) => (first && first.confidence >= SURE ? first.key : first ? `${first.key}?` : undefined))

  test('find their lesson by number and words', () => {
    expect(sure(['第3讲-集合的运算.mp4', '02 集合间的关系.mp4', '第四讲 充分条件（高清）.mp4'])).toEqual(['k2', 'k1', 'k3'])
  })

  test('that say little are questions, and nothing is offered for strangers', () => {
    expect(sure(['集合.mp4'])[0]).toMatch(/\?$/)
    expect(sure(['IMG_2031.mp4'])).toEqual([undefined])
  })

  test('never send two files to one lesson without asking', () => {
    const found = sure(['第3讲 集合的运算.mp4', '第3讲 集合的运算(1).mp4'])
    expect(found.filter((one) => one === 'k2').length).toBeLessThanOrEqual(1)
  })

  test('of a section go to that section', () => {
    const nodes = ['3.1', '3.2'].flatMap((section, s) => [1, 2].map((n) => ({ key: `${s}${n}`, name: `课时 ${n}`, above: ['第三章 函数', `${section} 函数`] })))
    expect(sure(['3.2 课时2.mp4', '3.1 课时1.mp4'], nodes)).toEqual(['12', '01'])
  })
})
