import { expect, test } from 'vitest'
import type { JobInfo } from './calls.ts'
import { jobNews, moveJob } from './job-news.ts'

const job = (id: number): JobInfo => ({
  id, kind: 'export', title: '导出合伙人', staff_id: 1, staff_name: '陈渠', status: 'running', done: 1, total: null, result: null, error: null,
  created_at: 1, started_at: 1, finished_at: null, can: ['cancel'],
})

test('an event moves its job and no other', () => {
  const jobs = [job(1), job(2)]
  expect(moveJob(jobs, { type: 'job', id: 2, status: 'done', done: 9, total: 9 })).toEqual([job(1), { ...job(2), status: 'done', done: 9, total: 9 }])
  expect(moveJob(jobs, { type: 'job', id: 3, status: 'done', done: 9, total: 9 })).toBe(jobs)
})

test('an end is told, with the reason of a failure; what the person did themselves is not', () => {
  expect(jobNews({ ...job(1), status: 'done' })).toEqual({ tone: 'success', title: '「导出合伙人」已完成', detail: undefined })
  expect(jobNews({ ...job(1), status: 'failed', error: '文件已损坏' })).toEqual({ tone: 'error', title: '「导出合伙人」失败', detail: '文件已损坏' })
  expect(jobNews({ ...job(1), status: 'cancelled' })).toBeUndefined()
})
