import { expect, test } from 'vitest'
import { clean, foldWord } from './clean.ts'
import { LEVEL, Matcher, replaced, verdictOf, type ListedWord } from './match.ts'
import { soundOf } from './sound.server.ts'

let id = 0
const word = (text: string, more: Partial<ListedWord> = {}): ListedWord => ({ id: ++id, word: text, level: LEVEL.block, loose: false, exempt: [], ...more })
const found = (text: string, ...words: ListedWord[]) => new Matcher(words, soundOf).find(text)
const words = (text: string, ...list: ListedWord[]) => found(text, ...list).map((hit) => text.slice(hit.from, hit.to))

test('a word is found through what people hide it behind, and stands where it was written', () => {
  const wechat = word('加微信')
  for (const text of ['加微信', '加 微 信', '加-微-信', '加\u200b微\u200c信', '加·微·信', '加　微　信', '加*微~信', '加\ufe0f微信', '快加微信领资料']) expect(words(text, wechat), text).toHaveLength(1)
  expect(words('请 加 - 微 信 哦', wechat)).toEqual(['加 - 微 信'])
  expect(words('同学ＱＱ号多少', word('qq'))).toEqual(['ＱＱ'])
  expect(words('①⑧⑧ 加Ｖ信', word('加v信'))).toEqual(['加Ｖ信'])
  expect(words('你这个傻*逼', word('傻逼'))).toEqual(['傻*逼'])
})

test('Latin words are found whole', () => {
  const sb = word('sb')
  expect(words('ozzy osbourne sbx', sb)).toEqual([])
  expect(words('你是SB吧', sb)).toEqual(['SB'])
  expect(words('a sb b', sb)).toEqual(['sb'])
  expect(words('s b', sb)).toEqual([])
  expect(words('加 vx 详聊', word('vx'))).toEqual(['vx'])
})

test('an empty list finds nothing and breaks nothing, nor does an empty word or text', () => {
  expect(found('随便说点什么')).toEqual([])
  expect(found('随便说点什么', word(' '), word('\u200b'))).toEqual([])
  expect(found('', word('加微信'))).toEqual([])
  expect(found('\u200b\n ', word('加微信'))).toEqual([])
  expect(verdictOf([])).toBe('clear')
})

test('words that sound alike are only ever looked at by a person', () => {
  const loose = word('加微信', { loose: true })
  const [hit] = found('加薇信', loose)
  expect(hit).toMatchObject({ unsure: true, from: 0, to: 3 })
  expect(verdictOf(found('嘉 薇 新', loose))).toBe('review')
  expect(verdictOf(found('加微信', loose))).toBe('block')
  expect(found('加薇信', word('加微信'))).toEqual([])
})

test('what runs over the end of a clause is looked at, not blocked', () => {
  expect(verdictOf(found('你好傻，逼近极限的时候呢', word('傻逼')))).toBe('review')
  expect(verdictOf(found('你好傻逼', word('傻逼')))).toBe('block')
})

test('phrases in which a word is not meant excuse it there alone', () => {
  const one = word('赌', { exempt: ['打赌', '赌注问题'] })
  expect(words('我打赌这题选 B', one)).toEqual([])
  expect(words('打 赌吧，别去赌场', one)).toEqual(['赌'])
})

test('of words within one another the longest counts; replaced ones keep their length', () => {
  expect(words('加微信群', word('加微信'), word('加微信群'))).toEqual(['加微信群'])
  const soft = word('垃圾', { level: LEVEL.replace })
  const hits = found('这题真 垃 圾！', soft)
  expect(verdictOf(hits)).toBe('replace')
  expect(replaced('这题真 垃 圾！', hits)).toBe('这题真 ***！')
  expect(verdictOf(found('网课', word('网课', { level: LEVEL.note })))).toBe('note')
})

test('two spellings of a word are one; emoji and rare characters keep the places right', () => {
  expect(foldWord(' 加 微-信 ')).toBe('加微信')
  expect(foldWord('ＱＱ')).toBe('qq')
  expect(words('😀😀加 微信😀', word('加微信'))).toEqual(['加 微信'])
  expect(words('𠮷野家加微信', word('加微信'))).toEqual(['加微信'])
  expect(clean('a b').text.join('')).toBe('a b')
})

test('twenty thousand words are built quickly and a comment is matched at once', () => {
  const many = Array.from({ length: 20_000 }, (_, index) => word(`违规${String.fromCodePoint(0x4e00 + (index % 6000))}${String.fromCodePoint(0x5e00 + ((index * 7) % 3000))}词${index}`))
  const begun = performance.now()
  const matcher = new Matcher(many, soundOf)
  const built = performance.now() - begun
  const text = '这道题第二问为什么要分类讨论？老师讲的 x>0 那一步没有听懂，能不能再讲一遍，谢谢老师。'.repeat(5)
  const again = performance.now()
  for (let n = 0; n < 100; n++) matcher.find(text)
  expect(built).toBeLessThan(3000)
  expect((performance.now() - again) / 100).toBeLessThan(10)
})
