/** The last two days. Nothing here tells the hour or the season: it is read at any of them. */
export const today = `
[3m] HarbourOffice: RT &welly
[4m] lighthouse @lamp &welly: One red welly has turned up on the gallery stairs. Left foot, size 38. It will be kept dry and spoken to kindly until claimed. {photo red-welly 1536x2048}

[11m] TavernaEleni @quay: Φασολάδα, με λίγο παραπάνω σέλινο. Όποιος έρθει με άδειο στομάχι φεύγει με γεμάτη καρδιά. 🫘 #φασολάδα

[17m] oleksa_dev: Усі тести зелені з першого разу. Перевіряю, чи вони взагалі запускались. 🧑🏼‍💻

[24m] biscuit.the.cat: A pigeon looked at me through the window. I have filed a complaint under 598, Birds.

[31m] TavernaEleni: RT &knots

[37m] InesMarulho @slip: Plank nine is on. It only needed steam, patience and four people leaning. Obrigada, gente. 🪵
  [+6m] dougal_nets: You said it would be two minutes. My shoulder would like to discuss the other forty.
    [+3m] InesMarulho: Two minutes is how long the coffee took. You had two.

[45m] InesMarulho: RT &kiln

[48m] MVSanderling @sound: Four porpoises off the starboard bow, keeping to the timetable better than we do. 🐬

[58m] harbour.bakery @bakery ×6 &knots: Second tray of cinnamon knots is out, and the queue has reached the anchor. Be kind to each other. #knots {photo cinnamon-knots 2048x1536}
  [+3m] dougal_nets: Keep me two. I am tied up at the slip and so is the boat.
    [+4m] harbour.bakery: Bagged, named, and hidden from @biscuit.the.cat.
      [+5m] biscuit.the.cat: I know about the bag.
  [+9m] MissQuill: A queue that has "reached the anchor" is a nautical bakery metaphor that works at last. Full marks.
    [+7m] tamsin-bakes: I have waited thirty-one years for full marks from you 🥹

[75m] nour_writes: بين نداءٍ ونداء⏎يتعلّم الصمتُ أسماءَ السفن. #شعر

[95m] Kittiwick_Library: New on the shelf by the window: tide tables, a cookbook with somebody's notes in it, and four novels about people who should have talked sooner. {library.kittiwick.example/new}
  [+12m] TavernaEleni: The notes in the cookbook are mine. More lemon. Everywhere, more lemon. 🍋
    [+5m] Kittiwick_Library: We had wondered. We will keep it under L.

[2h] mizuho_utsuwa ×9 &kiln: 窯を開けました。二十三個のうち、割れたのは一つだけ。今日はよい日です。 #陶芸 #うつわ {photo kiln-opened 1800x1200}
  [+14m] TavernaEleni: Πανέμορφα! Κρατάς έξι για την ταβέρνα; ありがとう 🙏🏼
    [+8m] mizuho_utsuwa: もちろん。Έξι, ναι! 😊
  [+31m] InesMarulho: And the broken one?
    [+4m] mizuho_utsuwa: 金継ぎします。It will be the best one, in a month.

[2h] Kittiwick_Library: RT &bucket

[3h] KittiwickFC: Training is on. Bring both boots this time, Callum.

[4h] meera.teaches: Pupil: "If the Moon pulls the sea, who is holding on to the bucket?" I have been teaching for fifteen years and I am still thinking about the bucket. 🌕
  [+11m] MissQuill &bucket: That child will either run a physics department or write one good novel.
  [+20m] oleksa_dev: Відро тримає Земля. Але питання краще за відповідь.

[5h] nan_wren: Hat number nine is done. It has come out a bit large, so somebody will have to grow.

[6h] KittiwickSchool: The goats have eaten the sign that said not to feed the goats. A new one is on its way, in metal. {photo goats-and-sign 1200x900}
  [+16m] Kittiwick_Library: We can lend you a laminator. We cannot lend you a cat who stays off it.

[8h] HarbourOffice: Found on the pontoon: one oar (green), one harmonica (key of G), one note that says "sorry, Pete". Pete, you are forgiven, whoever you are.
  [+25m] HarbourBand: The harmonica is ours. The apology is also probably ours.
    [+9m] HarbourOffice: Then who is Pete?
      [+13m] HarbourBand: Second cornet. He is owed several.

[11h] MissQuill: To whoever has corrected "Fish and Chip's" on the quay in chalk: it was not me, but I stood and admired it for some time.

[14h] oleksa_dev: Tidebook 4.2 вийшов: тепер показує, коли мокне нижня сходинка на причалі. Дякую @dougal_nets за черевики, якими це виміряно. {tidebook.example/news/4-2}
  [+40m] dougal_nets: Left boot, to be exact. It died for science.

[22h] harbour.bakery: Today's loaf that did not rise has been adopted by the ducks, who have no standards and beautiful manners.

[26h] HarbourBand: New piece on the stands this week: "The Ferry Is Late", a waltz. It starts four bars after you expect it.
  [+18m] MVSanderling: We are hurt, and we will be there. Eventually.

[30h] tamsin-bakes: A small boy asked whether the seeds on the seed loaf would grow if he planted it. I gave him a slice and a flower pot. We will know more soon. 🌱
  [+1h] meera.teaches: Please tell him that Room 4 would like to see his results.

[33h] dougal_nets @bank: Forty mackerel, one boot, not my size. A fair exchange with the sea.

[41h] mizuho_utsuwa: 網倉庫の猫が、乾かし中の皿に足あとを残していった。このまま焼くことにします。🐾
  [+50m] biscuit.the.cat: It was not me. I was at work. I have witnesses, all asleep.

`;
