/** The potter, the poet, the programmer and the grandmother, mostly in their own languages. */
export const voices = `
[12-08 5y 13:30] mizuho_utsuwa: 網倉庫の二階を借りました。窓から灯台が見えます。ろくろの音は波にまぎれるので、誰にも迷惑をかけません。
  [+2h] lighthouse: 見えています。ようこそ。 (The volunteers looked it up. We hope that it says welcome.)
    [+20m] mizuho_utsuwa: 完璧です 😊 It does.

[02-11 4y 10:45] mizuho_utsuwa: 浜の土を試しました。鉄分が多くて、焼くと夕方の色になります。 #陶芸 {photo beach-clay 1200x1200}

[04-06 3y 11:25] mizuho_utsuwa ×34 &sakura: 港に桜はないけれど、朝の花びらみたいな雪が降った。湯のみを八つ、その色に。 🌸 {photo snow-cups 1350x1080}
  [+35m] TavernaEleni: Αυτά θέλουν μόνο νερό μέσα, για να μη ζηλέψει ο καφές.
  [+1h] MissQuill: I have one of these. I find that I wait for it to be clean.

[11-24 1y 15:35] mizuho_utsuwa: 失敗した釉薬が、いちばん海に似ていた。失敗の作り方を、いま一生懸命思い出している。
  [+43m] oleksa_dev: У нас це називається «не можу відтворити баг». Співчуваю й захоплююсь.

[Sun 46w 12:10] mizuho_utsuwa: 器を買ってくれた漁師さんが、お代のかわりに鯖を三匹置いていった。とても良い取引。🐟
[Fri 32w 14:40] mizuho_utsuwa: 猫が窯の上で寝ている日は、温度計がいらない。
[Wed 11w 11:50] mizuho_utsuwa: Workshop in the loft, ten places, clay under your nails guaranteed. 初心者歓迎、おしゃべりも沈黙も歓迎。 {utsuwa.example/workshop}
  [+29m] dougal_nets: Can you make a mug for a man with hands like a door?
    [+13m] mizuho_utsuwa: もちろん。Bring the hands. 👐
[Sat 9w 18:05] mizuho_utsuwa: 今日の教室。十人、十個、ひとつも同じ形がない。それがいちばんうれしい。 {photo ten-cups 1600x1067}

[01-08 4y 03:35] nour_writes: وصلتُ إلى ميناءٍ لا أعرف اسمه، فسألتُ النورسَ، فضحك. #شعر
[05-03 3y 04:10] nour_writes ×28 &lantern: المنارةُ لا تقول: تعالَ.⏎تقول: هنا صخرة،⏎وهنا أنا،⏎فاختر طريقك واسلم.
  [+3h] lighthouse: With her permission: "The lighthouse does not say come. It says: here is a rock, and here am I; choose your way, and be safe." It hangs in the lamp room now.
    [+1h] MissQuill: That is the whole of pastoral care in four lines.
[12-15 2y 02:50] nour_writes: ثلجٌ على هوائيّ اللاسلكي. حتّى الأصوات تصلُ الليلةَ مغطّاةً بالأبيض. ❄️
[Thu 45w 03:25] nour_writes: Small hours, channel 12. A yacht asked for the depth, then for the time, then if I was also a bit lonely. I gave two answers and a laugh.
[Tue 35w 23:40] nour_writes: في هذه البلدة يسألونك عن الطقس، فإذا أجبتَ سألوك عن قلبك.
[Sun 24w 02:15] nour_writes: نداءُ استغاثةٍ من قاربٍ صغير، ثم ضحكة: «وجدنا المجداف». أحبُّ الليالي التي تنتهي هكذا. 🛶
[Fri 10w 21:30] nour_writes: Reading next Friday at the library: twelve poems, two languages, one cat. {nour.example/readings}
  [+18m] biscuit.the.cat: I will be in the front row. I will be the front row.
  [+45m] TavernaEleni: Κι εγώ φέρνω κουλουράκια. Η ποίηση θέλει κάτι να τρίζει.
[Wed 4w 04:30] nour_writes: RT &sakura
[Sun 3w 20:10] MissQuill: RT &lantern

[09-21 4y 14:25] oleksa_dev: Переїхав до міста, де розклад диктує вода. Уперше в житті дедлайн справді двічі на день.
[03-29 3y 19:20] oleksa_dev ×15: Тайдбук 1.0! Припливи Кіттівіка в кишені, без реклами, без реєстрації, з однією чайкою в меню. #tidebook {tidebook.example}
  [+12m] HarbourOffice: We pinned a printed one beside it, out of loyalty. They agree.
  [+34m] dougal_nets: What does the gull do?
    [+5m] oleksa_dev: Нічого. Вона просто дивиться.
      [+9m] dougal_nets: Very lifelike.
[08-23 2y 20:00] oleksa_dev: Борщ на сімох у таверні Елені. Вона поклала лимон. Я промовчав. Було смачно. 🍲
  [+17m] TavernaEleni: Το ήξερα ότι θα γράψεις για το λεμόνι! 😂
[01-14 1y 22:35] oleksa_dev: О третій ночі впав сервер. Причина: чайка, дах, антена. Так і написав у звіті.
  [+40m] nour_writes: سمعتُها. كانت آسفة.
[Mon 43w 10:50] oleksa_dev: Коментар у коді від мене п'ятирічної давнини: «тимчасово». Сиджу, дивлюсь на море.
[Wed 38w 16:10] oleksa_dev: Taught the retired captains' table to read a chart on a phone. They taught me to read one on the sky. I got the better half of it.
  [+53m] MissQuill: "The better half of the bargain", but otherwise a fine sentence.
    [+6m] oleksa_dev: Дякую! Виправив у голові 🙌🏻
[Fri 28w 13:15] oleksa_dev: Видалив дві тисячі рядків. Нічого не зламалося. Найкращий день місяця.
[Tue 17w 18:50] oleksa_dev: Мама питає, що я бачу з вікна. Надіслав кран. Каже: гарний. {photo the-crane 1080x1350}
  [+23m] HarbourOffice: He is certified as well as handsome.
[Thu 5w 09:10] oleksa_dev: RT &overdue
[Sun 2w 15:55] oleksa_dev: Вишив на рушнику таблицю припливів на тиждень. Прати тільки на відпливі.
  [+26m] tamsin-bakes: I need this for the bakery. I'd pay in knots!
    [+8m] oleksa_dev: Домовились: один тиждень припливів за один тиждень булочок. 🤝🏼

[01-01 4y 11:20] nan_wren: Happy New Year, my darlings. Grandad says the fireworks were better in his day and also that he slept through them in his day.
[07-07 3y 15:45] nan_wren: The twins are seven. There is icing on the dog. 👧🏼👦🏼🎂
[10-22 2y 19:05] nan_wren: Seven letters, "it returns twice a day". I had SEAGULL for an hour. It doesn't fit the crossing words and it has never left.
[Sun 41w 16:35] nan_wren: Video call with all five of you and I could see every one. Mostly ceilings, but good ones. 👨‍👩‍👧‍👦
[Tue 22w 10:40] nan_wren: Whoever taught your grandfather the emoji, kindly un-teach him. He has signed the gas bill 🦞.
[Sat 8w 14:15] nan_wren: Jam: eleven jars. Labelled: nine. So two of you are getting a surprise.
`;
