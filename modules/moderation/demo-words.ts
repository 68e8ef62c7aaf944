import { LEVEL } from './word/match.ts'
import type { WordGroup } from './word/word.ts'

type DemoWord = readonly [word: string, group: WordGroup, level: number, loose?: 1, exempt?: readonly string[]]

/** The list that the demo begins with. */
export const DEMO_WORDS: readonly DemoWord[] = [
  ['加微信', 'ad', LEVEL.block, 1], ['加v信', 'ad', LEVEL.block], ['加vx', 'ad', LEVEL.block], ['私聊我', 'ad', LEVEL.review], ['资料群', 'ad', LEVEL.review], ['免费领取', 'ad', LEVEL.review], ['扫码进群', 'ad', LEVEL.block, 1], ['优惠券代发', 'ad', LEVEL.review],
  ['刷单', 'ad', LEVEL.block], ['兼职日结', 'ad', LEVEL.block], ['低价转课', 'ad', LEVEL.review], ['账号出租', 'ad', LEVEL.review], ['拼课', 'ad', LEVEL.review], ['网盘资源', 'ad', LEVEL.review], ['qq群', 'ad', LEVEL.review],
  ['傻逼', 'abuse', LEVEL.block, 1], ['sb', 'abuse', LEVEL.block], ['脑残', 'abuse', LEVEL.review], ['白痴', 'abuse', LEVEL.review], ['废物', 'abuse', LEVEL.review], ['垃圾', 'abuse', LEVEL.replace, undefined, ['垃圾分类', '垃圾回收']], ['滚蛋', 'abuse', LEVEL.review], ['有病吧', 'abuse', LEVEL.review], ['恶心', 'abuse', LEVEL.note, undefined, ['恶心呕吐']],
  ['约炮', 'porn', LEVEL.block], ['裸聊', 'porn', LEVEL.block], ['成人视频', 'porn', LEVEL.block],
  ['赌博网站', 'law', LEVEL.block], ['网赌', 'law', LEVEL.block], ['枪支', 'law', LEVEL.review], ['毒品', 'law', LEVEL.review, undefined, ['毒品危害', '远离毒品']], ['翻墙', 'law', LEVEL.review],
  ['代考', 'cheat', LEVEL.block, 1], ['代写作业', 'cheat', LEVEL.block], ['高考答案', 'cheat', LEVEL.review, undefined, ['高考答案解析', '历年高考答案']], ['考前泄题', 'cheat', LEVEL.block], ['枪手', 'cheat', LEVEL.review], ['作弊器', 'cheat', LEVEL.block], ['替考', 'cheat', LEVEL.block],
  ['退费', 'other', LEVEL.note], ['投诉', 'other', LEVEL.note], ['客服电话', 'other', LEVEL.note], ['别家网课', 'other', LEVEL.note],
]

/** What learners say at a second of a video. */
export const VIDEO_TALK = ['这里老师讲得好清楚，终于听懂了', '板书好看', '暂停了三次才跟上', '原来如此，公式是这么来的', '前面那步跳得有点快', '这个例题去年月考考过', '倍速 1.5 刚刚好', '笔记已抄', '二刷打卡', '老师声音很好听', '这个图画得太清楚了', '记住了，先看定义域', '课代表在哪里', '高三党来复习', '感谢老师，作业会做了', '这种方法比我们老师讲的简单', '这里要考，重点', '听到这里豁然开朗', '退费之前先看完这一节，发现还是值得的', '别家网课没有讲这个']
export const VIDEO_ASKS = ['这里为什么要分类讨论？', '第二步为什么可以直接约掉？', '请问这个结论能在大题里直接用吗？', '老师，x 等于 0 的时候不用单独讨论吗？', '图像为什么关于原点对称？', '这个参数的范围是怎么求出来的？', '没听懂为什么要取等号，能再讲一下吗？', '例题里的条件少了一个会怎样？', '可以用另一种方法吗？', '这一步的单位换算是怎么来的？']
export const PRACTICE_TALK = ['错在没看清题目要求', '又粗心了', '这题考的是定义', '选项 B 很有迷惑性', '收藏了，明天再做一遍', '感觉难度偏高', '和课本上的例题很像', '第一次做对了']
export const PRACTICE_ASKS = ['为什么不选 C？', '解析第二步没看懂，能再详细一点吗？', '这题的答案是不是给错了？', '题目里说的范围包含端点吗？', '为什么不能直接代入？']
export const PRACTICE_SOLVES = ['还可以用特殊值法：取几个数代入，马上排除三个选项。', '换元更快，令 t 等于根号下的部分，化成二次函数求最值。', '画图看更直观，两条线的交点就是答案。', '先看选项再倒推，不用全部算完。', '用对称性可以少算一半。']
export const REPLIES = ['同问', '我也是这么想的', '看下一节就懂了', '先画图再想', '谢谢，懂了', '你再听一遍 3 分钟的地方']
export const ANSWERS = ['因为参数的符号会影响开口方向，所以要分大于零、等于零、小于零三种情况。', '这里两边同时除以的量不为零，前一步已经说明了，所以可以约掉。', '可以用，但大题里要写一句由来，否则会扣一分。', '等号能取到，把端点代回去检验一下就能看出来。', '好问题。条件少了之后结论不一定成立，试着举一个反例。', '这一步用的是上一节的公式，可以回看第二讲 5 分钟处。']
export const SUSPECT = ['想要笔记的私聊我', '资料群里都有，进来自己下', '免费领取全套讲义', '这个老师讲得真垃圾', '脑残才看不懂', '有人拼课吗', '高考答案哪里有', '加薇信一起刷题', '网盘资源在 www.ziliao-a.top', '有问题找我 1 3 8-1234-5678', '低价转课，只看过两节', '谁是枪手帮我写一下', '又卡又慢，有病吧', '扫马进裙领资料']
export const BLOCKED = ['加 微 信 领资料', '加-微-信，送真题', '你是不是傻*逼', '代 考 保过', 'ＱＱ群在哪，扫码进群', '刷单日赚三百', '考前泄题，先到先得', '代写作业 50 一篇']
export const MUTE_REASONS = ['多次发布广告引流', '辱骂其他同学', '反复发布代考信息', '刷屏，影响他人学习'] as const
