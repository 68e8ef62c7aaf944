import { defineRights } from '../../core/grant/rights.ts'
import { screenId } from '../screens.ts'

/** 评论查询: what is said of videos. */
export const VIDEO_RIGHTS = defineRights(screenId('/comment/search'), { review: [11, '审核'], answer: [12, '官方回复'] })
/** 习题评论: what is said of questions. */
export const PRACTICE_RIGHTS = defineRights(screenId('/comment/exercises'), { review: [11, '审核'], answer: [12, '官方回复'], adopt: [13, '采纳为解析'], report: [14, '试题报错'] })
/** 评论管理: the queue, the words, who may not speak. */
export const MANAGE_RIGHTS = defineRights(screenId('/comment/manage'), { review: [11, '审核'], words: [12, '维护敏感词'], mute: [13, '禁言和解除'] })
/** 评论教师: who answers. Who looks after the teachers gives them their questions too. */
export const TEACHER_RIGHTS = defineRights(screenId('/comment/teacher'), { answer: [11, '答疑'] })

export const DETAIL = screenId('/comment/search/detail')
export const TOTALS = screenId('/comment/search/totalDetail')

/** Screens on which what somebody said before is looked at. */
export const LOOKING = [VIDEO_RIGHTS.screen, DETAIL, MANAGE_RIGHTS.screen, PRACTICE_RIGHTS.screen, TEACHER_RIGHTS.screen]
/** Who may answer in the name of the house; that of the kind is checked beside. */
export const ANSWERING = [VIDEO_RIGHTS.id('answer'), PRACTICE_RIGHTS.id('answer'), MANAGE_RIGHTS.id('review'), TEACHER_RIGHTS.id('answer')]

/** Screens on which nothing is done but looked. */
export const totalsRights = [defineRights(DETAIL, {}), defineRights(TOTALS, {})]
