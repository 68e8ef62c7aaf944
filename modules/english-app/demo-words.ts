/**
 * Words of the demo, as 人教版 PEP (三年级起点) prints them: of each book its units, of each unit `headword=pos=中文=uk` with
 * stress, and a star where learners write the word.
 */
export const DEMO_BOOKS: Readonly<Record<string, string>> = {
  三年级上册: `Unit 1 Hello!
ruler*=n=尺子=ˈruːlə;pencil*=n=铅笔=ˈpensl;eraser=n=橡皮=ɪˈreɪzə;crayon=n=蜡笔=ˈkreɪən;bag*=n=包=bæɡ;pen*=n=钢笔=pen;pencil box=n=铅笔盒=ˈpensl bɒks;book*=n=书=bʊk;hello=int=你好=həˈləʊ;goodbye=int=再见=ˌɡʊdˈbaɪ
Unit 2 Colours
red*=adj=红色的=red;green*=adj=绿色的=ɡriːn;yellow=adj=黄色的=ˈjeləʊ;blue*=adj=蓝色的=bluː;black=adj=黑色的=blæk;brown=adj=棕色的=braʊn;white=adj=白色的=waɪt;orange=adj=橙色的=ˈɒrɪndʒ;colour=n=颜色=ˈkʌlə
Unit 3 Look at me!
face*=n=脸=feɪs;ear*=n=耳朵=ɪə;eye*=n=眼睛=aɪ;nose*=n=鼻子=nəʊz;mouth=n=嘴=maʊθ;arm=n=胳膊=ɑːm;hand*=n=手=hænd;head=n=头=hed;body=n=身体=ˈbɒdɪ;leg=n=腿=leɡ;foot=n=脚=fʊt
Unit 4 We love animals
duck*=n=鸭子=dʌk;pig*=n=猪=pɪɡ;cat*=n=猫=kæt;bear=n=熊=beə;dog*=n=狗=dɒɡ;elephant=n=大象=ˈelɪfənt;monkey=n=猴子=ˈmʌŋkɪ;bird*=n=鸟=bɜːd;tiger=n=老虎=ˈtaɪɡə;panda=n=大熊猫=ˈpændə;zoo=n=动物园=zuː
Unit 5 Let's eat!
bread=n=面包=bred;juice=n=果汁=dʒuːs;egg*=n=蛋=eɡ;milk*=n=牛奶=mɪlk;water=n=水=ˈwɔːtə;cake*=n=蛋糕=keɪk;fish*=n=鱼=fɪʃ;rice=n=米饭=raɪs
Unit 6 Happy birthday!
one*=num=一=wʌn;two*=num=二=tuː;three=num=三=θriː;four=num=四=fɔː;five=num=五=faɪv;six*=num=六=sɪks;seven=num=七=ˈsevn;eight=num=八=eɪt;nine=num=九=naɪn;ten*=num=十=ten;brother=n=兄；弟=ˈbrʌðə;plate=n=盘子=pleɪt`,
  三年级下册: `Unit 1 Welcome back to school!
UK=n=英国=ˌjuːˈkeɪ;Canada=n=加拿大=ˈkænədə;USA=n=美国=ˌjuːesˈeɪ;China=n=中国=ˈtʃaɪnə;boy*=n=男孩=bɔɪ;girl*=n=女孩=ɡɜːl;teacher=n=教师=ˈtiːtʃə;student=n=学生=ˈstjuːdnt;pupil=n=小学生=ˈpjuːpl;new=adj=新的=njuː;friend=n=朋友=frend;today=n=今天=təˈdeɪ
Unit 2 My family
father*=n=父亲=ˈfɑːðə;dad=n=爸爸=dæd;mother*=n=母亲=ˈmʌðə;mum=n=妈妈=mʌm;man*=n=男人=mæn;woman=n=女人=ˈwʊmən;sister=n=姐；妹=ˈsɪstə;grandmother=n=（外）祖母=ˈɡrænmʌðə;grandfather=n=（外）祖父=ˈɡrænfɑːðə;family=n=家庭=ˈfæməlɪ
Unit 3 At the zoo
thin=adj=瘦的=θɪn;fat*=adj=胖的=fæt;tall*=adj=高的=tɔːl;short=adj=矮的；短的=ʃɔːt;long=adj=长的=lɒŋ;small=adj=小的=smɔːl;big*=adj=大的=bɪɡ;giraffe=n=长颈鹿=dʒəˈrɑːf;deer=n=鹿=dɪə;tail=n=尾巴=teɪl
Unit 4 Where is my car?
on*=prep=在……上=ɒn;in*=prep=在……里=ɪn;under=prep=在……下面=ˈʌndə;chair=n=椅子=tʃeə;desk*=n=书桌=desk;cap*=n=帽子=kæp;ball=n=球=bɔːl;car*=n=小汽车=kɑː;boat=n=小船=bəʊt;map=n=地图=mæp;toy=n=玩具=tɔɪ;box*=n=盒；箱=bɒks
Unit 5 Do you like pears?
pear=n=梨=peə;apple*=n=苹果=ˈæpl;orange=n=橙子=ˈɒrɪndʒ;banana=n=香蕉=bəˈnɑːnə;watermelon=n=西瓜=ˈwɔːtəmelən;strawberry=n=草莓=ˈstrɔːbərɪ;grape=n=葡萄=ɡreɪp;buy=v=买=baɪ;fruit=n=水果=fruːt
Unit 6 How many?
eleven=num=十一=ɪˈlevn;twelve=num=十二=twelv;thirteen=num=十三=ˌθɜːˈtiːn;fourteen=num=十四=ˌfɔːˈtiːn;fifteen=num=十五=ˌfɪfˈtiːn;sixteen=num=十六=ˌsɪksˈtiːn;twenty=num=二十=ˈtwentɪ;kite*=n=风筝=kaɪt;beautiful=adj=美丽的=ˈbjuːtɪfl`,
  四年级上册: `Unit 1 My classroom
classroom=n=教室=ˈklɑːsruːm;window=n=窗户=ˈwɪndəʊ;blackboard=n=黑板=ˈblækbɔːd;light=n=灯=laɪt;picture=n=图画=ˈpɪktʃə;door*=n=门=dɔː;floor=n=地板=flɔː;wall=n=墙=wɔːl;fan=n=风扇=fæn;computer=n=计算机=kəmˈpjuːtə;near=prep=距离近=nɪə;clean=v=打扫=kliːn;help=v=帮助=help
Unit 2 My schoolbag
schoolbag=n=书包=ˈskuːlbæɡ;maths book=n=数学书=ˈmæθs bʊk;English book=n=英语书=ˈɪŋɡlɪʃ bʊk;Chinese book=n=语文书=ˌtʃaɪˈniːz bʊk;storybook=n=故事书=ˈstɔːrɪbʊk;candy=n=糖果=ˈkændɪ;notebook=n=笔记本=ˈnəʊtbʊk;key*=n=钥匙=kiː;lost=adj=丢失的=lɒst;cute=adj=可爱的=kjuːt
Unit 3 My friends
strong=adj=强壮的=strɒŋ;friendly=adj=友好的=ˈfrendlɪ;quiet=adj=安静的=ˈkwaɪət;hair=n=头发=heə;shoe=n=鞋=ʃuː;glasses=n=眼镜=ˈɡlɑːsɪz;his=pron=他的=hɪz;hat*=n=帽子=hæt;right=adj=正确的=raɪt
Unit 4 My home
bedroom=n=卧室=ˈbedruːm;living room=n=客厅=ˈlɪvɪŋ ruːm;study=n=书房=ˈstʌdɪ;kitchen=n=厨房=ˈkɪtʃɪn;bathroom=n=浴室=ˈbɑːθruːm;bed*=n=床=bed;phone=n=电话=fəʊn;table=n=桌子=ˈteɪbl;sofa=n=沙发=ˈsəʊfə;fridge=n=冰箱=frɪdʒ;find=v=找到=faɪnd
Unit 5 Dinner's ready
beef=n=牛肉=biːf;chicken=n=鸡肉=ˈtʃɪkɪn;noodles=n=面条=ˈnuːdlz;soup=n=汤=suːp;vegetable=n=蔬菜=ˈvedʒtəbl;chopsticks=n=筷子=ˈtʃɒpstɪks;bowl=n=碗=bəʊl;fork=n=餐叉=fɔːk;knife=n=刀=naɪf;spoon=n=勺=spuːn;dinner=n=正餐=ˈdɪnə;ready=adj=准备好=ˈredɪ
Unit 6 Meet my family!
parents=n=父母=ˈpeərənts;uncle=n=叔叔；舅舅=ˈʌŋkl;aunt=n=姑母；姨母=ɑːnt;cousin=n=堂（表）兄弟姐妹=ˈkʌzn;baby brother=n=婴儿小弟弟=ˈbeɪbɪ ˈbrʌðə;doctor=n=医生=ˈdɒktə;cook=n=厨师=kʊk;driver=n=司机=ˈdraɪvə;farmer=n=农民=ˈfɑːmə;nurse=n=护士=nɜːs;job=n=工作=dʒɒb;basketball=n=篮球=ˈbɑːskɪtbɔːl`,
}

/** A word of the demo. */
export interface DemoWord {
  readonly headword: string
  readonly pos: string
  readonly cn: string
  readonly uk: string
  readonly level: 1 | 2
}

/** Units of a book with their words. */
export const unitsOf = (text: string): { readonly name: string; readonly words: readonly DemoWord[] }[] => {
  const lines = text.split('\n').filter(Boolean)
  return lines.flatMap((name, at) => (at % 2 === 1 ? [] : [{
    name,
    words: (lines[at + 1] ?? '').split(';').map((word): DemoWord => {
      const [headword = '', pos = 'n', cn = '', uk = ''] = word.split('=')
      return { headword: headword.replace('*', ''), pos, cn, uk, level: headword.endsWith('*') ? 2 : 1 }
    }),
  }]))
}

/** A sentence that holds a word, as a book for beginners says it. */
export function sentenceOf({ headword, pos, cn }: DemoWord): { en: string; cn: string } {
  const plain = cn.replace(/（.*?）/g, '').split('；')[0] ?? cn
  if (pos === 'adj') return { en: `It is ${headword}.`, cn: `它是${plain.endsWith('的') ? plain : `${plain}的`}。` }
  if (pos === 'num') return { en: `I can count to ${headword}.`, cn: `我能数到${plain}。` }
  if (pos === 'v') return { en: `Let me ${headword} it.`, cn: `让我来${plain}。` }
  if (pos === 'prep') return { en: `The cat is ${headword} the box.`, cn: `猫${plain.replace('……', '盒子')}。` }
  if (pos === 'int') return { en: `${headword.charAt(0).toUpperCase()}${headword.slice(1)}, Mike!`, cn: `${plain}，迈克！` }
  if (pos === 'pron') return { en: `What is ${headword} name?`, cn: `${plain}名字是什么？` }
  return { en: `Look at the ${headword}.`, cn: `看，${plain}。` }
}
