import { expect, test } from 'vitest'
import { EXAM_REGIONS } from '../../../reference/module.ts'
import { difficultyIn, kindOf, paperFacts, pointsIn, regionOf, sourceTag, subjectIn } from './facts.ts'

test.each([
  ['（新课标ⅱ）', '全国Ⅱ卷'], ['新课标III', '全国Ⅲ卷'], ['全国乙卷', null], ['甲卷', null], ['全国丙卷', null], ['（新课标）', null], ['全国高中数学联赛', null], ['全国', null], ['全国卷（ＩＩ）', '全国Ⅱ卷'], ['全国一卷', '全国Ⅰ卷'], ['新高考2卷', null], ['2022·全国新高考Ⅰ卷', null],
  ['浙江', '浙江'], ['浙江省', '浙江'], ['北京市海淀区', '北京'], ['内蒙古自治区', '内蒙古'], ['Guangdong', '广东'], ['shaanxi', '陕西'], ['440000', '广东'], ['31', '上海'], ['2021江苏卷', '江苏'],
  ['（解析版）', null], ['', null], ['一模', null], ['某校', null],
])('region %s is %s', (text, expected) => expect(regionOf(text)).toBe(expected))

test('every one of the 37 names is its own', () => {
  for (const { name } of EXAM_REGIONS) expect(regionOf(name)).toBe(name)
})

test('the paper before a question', () => {
  expect(sourceTag('（2022·全国乙卷·理·5）已知')).toMatchObject({ length: 15, facts: { source_years: [2022], source_paper: '2022·全国乙卷·理·5', source_order: 5 } })
  expect(sourceTag('【2019年浙江省高考】设')?.facts.exam_region).toBe('浙江')
  expect(sourceTag('（2022）年')).toBeNull()
  expect(sourceTag('（甲）与')).toBeNull()
  expect(paperFacts('2023届湖北武汉高三一模').source).toBeUndefined()
  expect(paperFacts('2023届湖北武汉高三一模').exam_region).toBe('湖北')
  expect([paperFacts('2018年全国Ⅱ卷').exam_region, paperFacts('2023年新课标Ⅱ卷').exam_region, paperFacts('2022年新高考Ⅱ卷').exam_region]).toEqual(['全国Ⅱ卷', undefined, undefined])
  // A name that ends in 卷 proves nothing, a competition is none.
  expect([paperFacts('2021年初二期末卷').source, paperFacts('2019年全国高中数学联赛').source, paperFacts('2020年某校练习卷').source, paperFacts('2018年全国Ⅱ卷').source]).toEqual([undefined, undefined, undefined, 'college_entrance_exam_paper'])
})

test('points, types, difficulty and subjects in words', () => {
  expect([pointsIn('（本小题满分12分）')?.points, pointsIn('( 5 分)')?.points, pointsIn('〔3分〕')?.points, pointsIn('三分')]).toEqual([12, 5, 3, null])
  expect(['单项选择题', '多选题', '不定项选择题', '判断', '填空题', '解答题', '完形填空', '阅读理解', 'multichoice', 'essay', '实验题', '3', '无'].map((name) => kindOf(name)?.type ?? null)).toEqual([1, 2, 2, 1, 3, 4, 5, 6, 1, 4, 4, 3, null])
  expect(kindOf('不定项')?.category).toBe('不定项选择题')
  expect(['易', '较难', '中等', '0.65', '难度系数：0.9', '★★★★', '4', '困难', '？'].map((text) => difficultyIn(text)?.difficulty ?? null)).toEqual([5, 2, 3, 3, 5, 2, 4, 1, null])
  expect(difficultyIn('4', true)?.difficulty).toBe(2)
  expect([subjectIn('2019_Math_II.json'), subjectIn('高中生物'), subjectIn('abc')]).toEqual(['数学', '生物', null])
})
